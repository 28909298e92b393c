// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QObject>
#include <QRectF>
#include <QWidget>

namespace lockstep::ui {

/// Where the parts of a chart stand, in pixels of the widget. A low chart gets narrower margins,
/// and gives up what can be read elsewhere, for its curves.
struct PlotLayout
{
    QRectF header;   ///< title, current values, legend
    QRectF notes;    ///< names of other runs, status; empty where the chart is too low for it
    QRectF area;     ///< of the curves; on whole pixels, so that columns are
    int columns = 0; ///< of the names

    [[nodiscard]] bool hasNotes() const { return !notes.isEmpty(); }
    /// Else the names of other runs take all of that line.
    [[nodiscard]] bool hasStatus() const { return hasNotes() && columns <= kNamesInARow; }

    static constexpr int kNamesInARow = 3;
};

/// Somewhat smaller than that of the chart.
QFont axisFont(const QFont& chart);

/// In pixels, between an axis and its labels.
constexpr double kLabelsFromAxis = 6.0;

/// How much room a chart takes, what it leaves out where that is little, and whether it is folded
/// down to its title line. A child of the chart.
class ChartRoom : public QObject
{
    Q_OBJECT

public:
    explicit ChartRoom(QWidget& chart) : QObject(&chart), m_chart(chart) {}

    /// Other charts of the same x axis: where this one is low, it leaves the checkpoints to one
    /// above it, as the names of the phases, and the labels of the axis to one below.
    void setNeighbours(bool hasAbove, bool hasBelow);
    [[nodiscard]] bool isUppermost() const noexcept { return !m_hasAbove; }
    [[nodiscard]] bool hasXLabels() const;
    [[nodiscard]] bool hasPins() const;

    /// Whether a person may fold it down to its title line, which then stands for it.
    void setFoldable(bool isFoldable);
    [[nodiscard]] bool isFoldable() const noexcept { return m_isFoldable; }
    void setFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const noexcept { return m_isFolded; }
    /// Other runs to be named in a list.
    void setNames(int names);
    /// How high it is then.
    [[nodiscard]] int foldedHeight() const;
    /// Where a click folds and unfolds it; empty unless it is foldable.
    [[nodiscard]] QRectF foldMark() const;
    /// To be called when the chart has another font.
    void fitFolded();

    [[nodiscard]] QFont axisFont() const { return lockstep::ui::axisFont(m_chart.font()); }
    /// The area's left edge is the same in all charts of a window, whatever their labels, so that
    /// steps stand above each other.
    [[nodiscard]] PlotLayout layout() const;
    /// The line of title and values.
    [[nodiscard]] QRectF titleLine() const { return layout().header; }
    [[nodiscard]] QSize leastSize() const;

signals:
    /// The chart has to be painted anew.
    void changed();

private:
    [[nodiscard]] double headerHeight() const;

    QWidget& m_chart;
    bool m_hasAbove = false;
    bool m_hasBelow = false;
    bool m_isFoldable = false;
    bool m_isFolded = false;
    int m_names = 0;
};

} // namespace lockstep::ui
