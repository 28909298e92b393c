// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/number_text.h"
#include "plots/axes/plot_scale.h"
#include "plots/axes/x_range.h"
#include "plots/curves/chart_lines.h"
#include "plots/curves/curve_style.h"
#include "plots/curves/plot_marks.h"
#include "plots/parts/checklist_painting.h"
#include "plots/parts/hover_card.h"
#include "plots/parts/plot_header.h"
#include "plots/parts/tower_highlight.h"
#include "plots/rows/marker_row.h"
#include "plots/rows/phase_row.h"
#include "plots/rows/pin_row.h"
#include "plots/view/chart_room.h"
#include "plots/view/chart_status.h"
#include "plots/view/run_chart_specification.h"

#include <QPixmap>
#include <QWidget>

#include <optional>
#include <utility>

namespace lockstep::ui {

/// What a person does with the keys of a chart: hides curves, shows them alone, asks whose colour
/// it is. GUI thread.
class ChartLegend : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// As the chart has arranged them for its latest frame.
    void setKeys(std::vector<LegendKey> keys) { m_keys = std::move(keys); }
    /// Says of each whether what it stands for is hidden.
    void markHidden(std::vector<LegendKey>& keys) const;
    [[nodiscard]] bool isHidden(const QString& key) const { return m_hidden.contains(key); }
    /// Until a person clicks on it.
    void setHidden(const QString& key, bool isHidden);
    /// The same as in another one.
    void hideAs(const ChartLegend& other) { m_hidden = other.m_hidden; }
    /// Those that are not hidden.
    [[nodiscard]] std::vector<Curve> shown(const std::vector<Curve>& curves) const
    {
        return shownCurves(curves, m_hidden);
    }
    /// Those that are hidden, but have their values told: in grey.
    [[nodiscard]] std::vector<Curve> told(std::vector<Curve> curves) const;

    /// Hides what the key there stands for, or shows it again; `isAlone`: hides all else. Returns
    /// whether there is a key.
    bool toggle(QPointF point, bool isAlone);
    [[nodiscard]] const LegendKey* keyAt(QPointF point) const;
    /// Whose colour is there.
    [[nodiscard]] std::optional<ColorOwner> ownerAt(QPointF point) const;

signals:
    /// Other curves are hidden.
    void changed();

private:
    std::vector<LegendKey> m_keys;
    QStringList m_hidden;
};

/// What the charts of a window share beside their x axis; all must outlive the charts.
struct SharedParts
{
    PinRow* pins = nullptr;       ///< the checkpoints
    MarkerRow* markers = nullptr; ///< what happened in the run
    PhaseRow* phases = nullptr;   ///< what the run trains when
    TowerHighlight* highlight = nullptr;
};

/// A chart of figures of a run: a card with a title line, a thin grid, raw curves as pixel columns,
/// and averages as lines on top. All values of the run take part in every frame; what cannot be
/// shown is marked. The frame is kept until something changes, so that the cross-hair moves over it
/// at no cost.
///
/// Drag zooms (flat: the x axis, else both; with Shift: the values only), the wheel zooms at the
/// pointer (with Ctrl: the values), the middle button or Space and drag pans, a double click fits,
/// one on the title gives the chart all the room. A click in the legend hides a curve or shows it
/// again, with Shift all others, one with the right button chooses its colour; the tower whose
/// curve or key is under the pointer stands out. Keys: Home fit, End follow, + - zoom, arrows move
/// the cross-hair, Backspace and Shift+Backspace or the mouse's own buttons go back and forward, L
/// logarithm, O outliers, M all the room, F folds, Escape no cross-hair. Ctrl and arrows go from
/// pin to pin, with Shift from marker to marker; Return opens what can be done with the checkpoint.
class PlotView : public QWidget
{
    Q_OBJECT

public:
    /// The range is shared by all charts of a window and must outlive them.
    PlotView(XRange& range, RunChartSpecification specification, QWidget* parent = nullptr);

    /// The run to show; it must stay until another is set. nullptr: the empty state.
    void setRun(const RunSeries* run);
    /// Other runs behind it; their series must stay until others are set. Those without such
    /// figures are not shown.
    void setOverlays(const std::vector<PlotOverlay>& overlays);
    /// Rows were appended or the smoothing changed. Painted at the next frame, if the chart is
    /// visible.
    void dataChanged();

    /// Shown in the middle while there is nothing to draw.
    void setEmptyState(EmptyState state);

    [[nodiscard]] bool isLogarithmic() const noexcept { return m_isLogarithmic; }
    void setLogarithmic(bool isLogarithmic);
    /// Those that are given; the others stay.
    void setShared(const SharedParts& parts);
    /// Those that it shows, as it stands now.
    [[nodiscard]] SharedParts shared() const;
    [[nodiscard]] ChartRoom& room() const noexcept { return *m_room; }
    [[nodiscard]] ChartLegend& legend() const noexcept { return *m_legend; }
    /// The same phases, and what a person chose for the other chart: which curves, which values.
    void showAs(const PlotView& other);
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
    /// What the chart shows, in a sentence, for those who cannot see it.
    [[nodiscard]] QString summary() const;

    /// The chart without cross-hair, as lines and text where the painter's device can; raw curves
    /// are an image of so many pixels for each of the widget's.
    void paintFrame(QPainter& painter, double pixelRatio);

    [[nodiscard]] QSize sizeHint() const override { return {720, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return m_room->leastSize(); }

signals:
    void logarithmicChanged(bool isLogarithmic);
    /// All the room of the window's charts for this one, or not any more.
    void maximizeRequested();
    void foldRequested();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] bool isValuesZoomed() const;
    [[nodiscard]] bool hasPhaseNames() const;
    [[nodiscard]] std::vector<Curve> allCurves() const;
    [[nodiscard]] bool hasRun() const;
    /// The current values, with their units; shown behind the title.
    [[nodiscard]] QString captionText() const;
    /// What the figures mean, and remarks on the run; shown on hover over the title line.
    [[nodiscard]] QStringList explanation() const;
    void renderFrame();
    [[nodiscard]] std::vector<LegendKey> ownKeys() const;
    void paintHeadline(QPainter& painter, const PlotLayout& places);
    void paintNotes(
        QPainter& painter, const PlotLayout& places, std::vector<LegendKey>& namesBehind) const;
    void paintBody(QPainter& painter, const PlotScale& scale, double pixelRatio);
    void paintOverFrame(QPainter& painter) const;
    void paintCrossHair(QPainter& painter) const;
    void paintCursorCaption(QPainter& painter, const HoverCard& card) const;
    void paintMarkedCard(QPainter& painter) const;
    [[nodiscard]] QRectF cardRoom() const;
    void describe();
    [[nodiscard]] QString toolTipAt(QPointF point) const;

    XRange& m_range;
    const RunChartSpecification m_specification;
    const RunSeries* m_run = nullptr;
    ChartRoom* m_room;
    ChartLegend* m_legend;
    SharedParts m_shared;
    ChartLines m_lines;
    ThemeColors m_theme;
    PlotHeader m_header;
    EmptyState m_empty;
    std::vector<Curve> m_curves;
    std::vector<Curve> m_behind;
    std::optional<double> m_expected; ///< a line across the chart
    /// That fits, as of the latest change of data or range.
    mutable std::optional<std::pair<double, double>> m_fittingY;
    bool m_isLogarithmic = false;
    ChartStatus m_status;
    std::vector<PlotMark> m_marks;
    QRectF m_selection;

    QPixmap m_frame;
    bool m_isStale = true;
    bool m_isCaptionCut = false;
    bool m_isFocusShown = false; // it came by keyboard
};

} // namespace lockstep::ui
