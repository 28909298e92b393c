// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/number_text.h"
#include "plots/axes/plot_scale.h"
#include "plots/axes/x_range.h"
#include "plots/curves/chart_lines.h"
#include "plots/curves/curve.h"
#include "plots/curves/curve_style.h"
#include "plots/parts/checklist_painting.h"
#include "plots/parts/hover_card.h"
#include "plots/parts/plot_header.h"
#include "plots/parts/plot_layout.h"
#include "plots/parts/plot_overlay.h"
#include "plots/rows/marker_row.h"
#include "plots/rows/phase_row.h"
#include "plots/rows/pin_row.h"
#include "plots/view/chart_status.h"

#include <QPixmap>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <utility>

namespace lockstep::ui {

class RunSeries;

/// A line across the chart at a value that is expected.
struct ReferenceLine
{
    double value = 0.0;
    QString name = {}; ///< for the legend; empty where the caption says it
};

/// A chart: a card with a title line, a thin grid, raw curves as pixel columns, and averages as
/// lines on top. All values of the run take part in every frame; what cannot be shown is marked.
/// The frame is kept until something changes, so that the cross-hair moves over it at no cost.
///
/// Drag zooms (flat: the x axis, else both; with Shift: the values only), the wheel zooms at the
/// pointer (with Ctrl: the values), the middle button or Space and drag pans, a double click fits,
/// one on the title gives the chart all the room. A click in the legend hides a curve or shows it
/// again, with Shift all others. Keys: Home fit, End follow, + - zoom, arrows move
/// the cross-hair, Backspace and Shift+Backspace or the mouse's own buttons go back and forward, L
/// logarithm, O outliers, M all the room, F folds, Escape no cross-hair. Ctrl and arrows go from
/// pin to pin, with Shift from marker to marker; Return opens what can be done with the checkpoint.
class PlotView : public QWidget
{
    Q_OBJECT

public:
    /// The range is shared by all charts of a window and must outlive them.
    explicit PlotView(XRange& range, QWidget* parent = nullptr);
    ~PlotView() override;

    /// The run to show; it must stay until another is set. nullptr: the empty state.
    virtual void setRun(const RunSeries* run) = 0;
    /// Other runs behind it; their series must stay until others are set. Charts of figures that
    /// are not kept of them show none.
    virtual void setOverlays(const std::vector<PlotOverlay>& /*overlays*/) {}
    /// Rows were appended or the smoothing changed. Painted at the next frame, if the chart is
    /// visible.
    void dataChanged();

    /// Shown in the middle while there is nothing to draw.
    void setEmptyText(const QString& text);
    /// Shown instead, while there is any.
    void setChecklist(std::vector<ChecklistLine> lines);

    [[nodiscard]] bool isLogarithmic() const noexcept { return m_isLogarithmic; }
    void setLogarithmic(bool isLogarithmic);
    /// The checkpoints to mark; they must outlive the chart.
    void setPins(PinRow& pins);
    /// Those that it shows.
    [[nodiscard]] PinRow* pins() const noexcept
    {
        return isEmpty() || !hasPins() ? nullptr : m_pins;
    }
    /// What happened in the run; it must outlive the chart.
    void setMarkers(MarkerRow& markers);
    [[nodiscard]] MarkerRow* markers() const noexcept { return isEmpty() ? nullptr : m_markers; }
    /// What the run trains when, behind the curves; it must outlive the chart.
    void setPhases(PhaseRow& phases);
    /// Other charts of the same x axis: where this one is low, it leaves the checkpoints to one
    /// above it, as the names of the phases, and the labels of the axis to one below.
    void setNeighbours(bool hasAbove, bool hasBelow);
    /// Whether a person may fold it down to its title line, which then stands for it.
    void setFoldable(bool isFoldable);
    [[nodiscard]] bool isFoldable() const noexcept { return m_isFoldable; }
    void setFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const noexcept { return m_isFolded; }
    /// How high it is then.
    [[nodiscard]] int foldedHeight() const;
    /// Where a click folds and unfolds it; empty unless it is foldable.
    [[nodiscard]] QRectF foldMark() const;
    /// Hides what a key of the legend stands for, or shows it again; `isAlone`: hides all else.
    /// Returns whether there is a key.
    bool toggleKey(QPointF point, bool isAlone);
    /// A rectangle being dragged, in pixels of the widget.
    void setSelection(const QRectF& selection);

    [[nodiscard]] XRange& range() const noexcept { return m_range; }
    /// As of now, not as of the last frame.
    [[nodiscard]] PlotScale scale() const;
    /// The same without the y axis, which takes a look at all visible rows.
    [[nodiscard]] PlotScale xScale() const;
    /// Of the run.
    [[nodiscard]] const std::vector<Curve>& curves() const noexcept { return m_curves; }
    /// Of the other runs.
    [[nodiscard]] const std::vector<Curve>& curvesBehind() const noexcept { return m_behind; }
    [[nodiscard]] bool isEmpty() const;
    /// Of the last frame.
    [[nodiscard]] const ChartStatus& status() const noexcept { return m_status; }
    [[nodiscard]] const std::vector<PlotMark>& marks() const noexcept { return m_marks; }
    /// The line of title and values.
    [[nodiscard]] QRectF titleLine() const { return arrangement().header; }
    /// What the chart shows, in a sentence, for those who cannot see it.
    [[nodiscard]] QString summary() const;

    /// The chart without cross-hair, as lines and text where the painter's device can; raw curves
    /// are an image of so many pixels for each of the widget's.
    void paintFrame(QPainter& painter, double pixelRatio);

    [[nodiscard]] QSize sizeHint() const override { return {720, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void logarithmicChanged(bool isLogarithmic);
    /// All the room of the window's charts for this one, or not any more.
    void maximizeRequested();
    void foldRequested();

protected:
    /// The current values, with their units; shown behind the title.
    [[nodiscard]] virtual QString captionText() const = 0;
    /// Whether these are as they should be, where the chart judges.
    [[nodiscard]] virtual Judgement judgement() const { return Judgement::None; }
    /// What the figures mean, with their formulas; shown on hover over the title line.
    [[nodiscard]] virtual QString explanation() const = 0;

    void setTitle(const QString& title);
    void setCurves(std::vector<Curve> curves);
    void setCurvesBehind(std::vector<Curve> curves);
    void setReferenceLines(std::vector<ReferenceLine> lines) { m_references = std::move(lines); }
    /// Values that the y axis always reaches.
    void setLimits(std::optional<double> floor, std::optional<double> ceiling);
    void setValueFormat(const ValueFormat& format) { m_format = format; }
    [[nodiscard]] const ValueFormat& valueFormat() const noexcept { return m_format; }

    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] PlotLayout arrangement() const;
    [[nodiscard]] QFont axisFont() const;
    [[nodiscard]] bool isValuesZoomed() const;
    [[nodiscard]] bool hasXLabels() const;
    [[nodiscard]] bool hasPins() const;
    [[nodiscard]] bool hasPhaseNames() const;
    [[nodiscard]] std::vector<Curve> allCurves() const;
    [[nodiscard]] bool hasRun() const;
    [[nodiscard]] std::vector<LegendKey> legend() const;
    void fitFolded();
    void renderFrame();
    void paintNotes(QPainter& painter, const QRectF& line) const;
    void paintBody(QPainter& painter, const PlotScale& scale, double pixelRatio);
    void paintEmptyState(QPainter& painter) const;
    void paintCrossHair(QPainter& painter) const;
    void paintCursorCaption(QPainter& painter, const HoverCard& card) const;
    void paintMarkedCard(QPainter& painter) const;
    [[nodiscard]] QRectF cardRoom() const;
    void paintFocusRing(QPainter& painter) const;
    void describe();
    [[nodiscard]] QString toolTipAt(QPointF point) const;

    XRange& m_range;
    PinRow* m_pins = nullptr;
    MarkerRow* m_markers = nullptr;
    PhaseRow* m_phases = nullptr;
    ChartLines m_lines;
    ThemeColors m_theme;
    PlotHeader m_header;
    QString m_emptyText;
    std::vector<ChecklistLine> m_checklist;
    std::vector<Curve> m_curves;
    std::vector<Curve> m_behind;
    std::vector<ReferenceLine> m_references;
    QStringList m_hiddenKeys;
    std::optional<double> m_floor;
    std::optional<double> m_ceiling;
    /// That fits, as of the latest change of data or range.
    mutable std::optional<std::pair<double, double>> m_fittingY;
    ValueFormat m_format;
    bool m_isLogarithmic = false;
    bool m_hasAbove = false;
    bool m_hasBelow = false;
    bool m_isFoldable = false;
    bool m_isFolded = false;
    ChartStatus m_status;
    std::vector<PlotMark> m_marks;
    QRectF m_selection;

    QPixmap m_frame;
    bool m_isStale = true;
    bool m_isCaptionCut = false;
    bool m_isFocusShown = false; // it came by keyboard
};

} // namespace lockstep::ui
