// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/plot_overlay.h"
#include "plots/x_range.h"

#include <QSplitter>

#include <vector>

namespace lockstep::ui {

class PlotView;
class RunSeries;

/// The charts of a run above each other. They share their x axis.
class ChartStack : public QSplitter
{
    Q_OBJECT

public:
    explicit ChartStack(QWidget* parent = nullptr);
    ~ChartStack() override;

    /// Must stay until others are set; nullptr: no run.
    void setRun(const RunSeries* run);
    void setOverlays(const std::vector<PlotOverlay>& overlays);
    /// Rows were appended: paints them at once.
    void repaintData();

    [[nodiscard]] XRange& range() noexcept { return m_range; }
    /// The loss first.
    [[nodiscard]] const std::vector<PlotView*>& plots() const noexcept { return m_plots; }
    void resetHeights();
    /// Gives this chart all the room; all of them theirs again if one has it.
    void toggleEnlarged(PlotView& plot);
    /// For restoreState(): of all charts, also while one has all the room.
    [[nodiscard]] QByteArray heightsState() const;

private:
    void shareAxis();

    XRange m_range;
    std::vector<PlotView*> m_plots;
    QByteArray m_heights; ///< of before, while one chart has all the room
};

} // namespace lockstep::ui
