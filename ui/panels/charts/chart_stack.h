// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/charts/chart_places.h"
#include "plots/axes/x_range.h"
#include "plots/curves/curve.h"

#include <QSplitter>

#include <vector>

class QAction;

namespace lockstep::ui {

class PlotView;
class RunSeries;

/// The charts of a run above each other. They share their x axis. All but the first can be folded
/// down to their title lines; where the stack is low some are until a person says otherwise.
class ChartStack : public QSplitter
{
    Q_OBJECT

public:
    explicit ChartStack(QWidget* parent = nullptr);
    ~ChartStack() override;

    /// Must stay until others are set; nullptr: no run.
    void setRun(const RunSeries* run);
    void setOverlays(const std::vector<PlotOverlay>& overlays);
    /// Shows what the other one does, for a picture: nothing on it is for the hand. `alone`: only
    /// this one of the other's charts.
    void showAs(const ChartStack& other, const PlotView* alone);
    /// Rows were appended: paints them at once.
    void repaintData();

    [[nodiscard]] XRange& range() noexcept { return m_range; }
    /// Those of the run, the loss first, behind it its objectives' where it has several.
    [[nodiscard]] const std::vector<PlotView*>& plots() const noexcept { return m_shown; }
    /// With those of objectives that the run does not have.
    [[nodiscard]] const std::vector<PlotView*>& allPlots() const noexcept { return m_plots; }
    [[nodiscard]] bool isShown(const PlotView& plot) const;
    /// One for each of allPlots() that can be folded: checked while it is open, invisible for those
    /// that the run does not have.
    [[nodiscard]] const std::vector<QAction*>& openings() const noexcept { return m_openings; }
    /// Gives this chart all the room; all of them theirs again if one has it.
    void toggleEnlarged(PlotView& plot);

    /// As they are without one that has all the room: heights, and what a person folded.
    [[nodiscard]] const ChartPlaces& places() const noexcept { return m_places; }
    void setPlaces(const ChartPlaces& places);

    /// With those folded that give way.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// plots() are others, or have other titles.
    void plotsChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addPlot(PlotView& plot, bool isFoldable);
    void chooseShown(const RunSeries* run);
    void setOpen(std::size_t chart, bool isOpen);
    void arrange();
    void noteHeights();
    void shareAxis();

    XRange m_range;
    const RunSeries* m_run = nullptr;
    std::vector<PlotOverlay> m_overlays;
    std::vector<PlotView*> m_plots; ///< at their places
    std::vector<PlotView*> m_shown; ///< those of them that the run has
    std::vector<QAction*> m_openings;
    ChartPlaces m_places;
    const PlotView* m_enlarged = nullptr;
};

} // namespace lockstep::ui
