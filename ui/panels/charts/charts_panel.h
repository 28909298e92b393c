// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/runs/run_marks.h"
#include "panels/charts/chart_controls.h"
#include "panels/charts/chart_stack.h"
#include "panels/shared/panel.h"
#include "plots/parts/checklist_painting.h"
#include "plots/rows/marker_row.h"
#include "plots/rows/phase_row.h"

#include <QWidget>

#include <vector>

namespace lockstep::ui {

class LiveRun;
class OverlayRuns;
class PlotView;
class TowerHighlight;

/// The middle of the window: the charts of a run, other runs behind it, and one line of controls
/// above them.
class ChartsPanel : public QWidget
{
    Q_OBJECT

public:
    static constexpr int kMostSmoothing = ChartControls::kMostSmoothing;

    /// They must outlive the panel.
    ChartsPanel(
        LiveRun& run, OverlayRuns& overlays, TowerHighlight& highlight, QWidget* parent = nullptr);

    [[nodiscard]] ChartStack& charts() const noexcept { return *m_charts; }
    [[nodiscard]] XRange& range() const { return m_charts->range(); }
    /// The loss first.
    [[nodiscard]] const std::vector<PlotView*>& plots() const { return m_charts->plots(); }

    /// Heights of the charts and which are folded, for keeping and restoring.
    [[nodiscard]] QByteArray saveState() const { return m_charts->places().toText(); }
    void restoreState(const QByteArray& state);
    void resetHeights() { m_charts->setPlaces({}); }
    /// All the room for the chart that has the keyboard, else for the loss; or not any more.
    void toggleEnlarged();
    /// What the loss chart says while it is empty.
    void setEmptyText(const QString& text);
    /// What the loss chart says instead, while a run goes through its checklist.
    void setChecklist(std::vector<ChecklistLine> lines);

    /// Weight of the moving average, in hundredths: 0 to 99.
    void setSmoothing(int hundredths);
    void setAxis(XAxis axis) { range().setAxis(axis); }

private:
    void onRunBegun();
    void showPhases();
    void showOverlays();
    void onDataChanged() { m_refresh.request(m_pace.interval()); }
    void refresh();

    LiveRun& m_run;
    OverlayRuns& m_overlays;
    RunMarks m_marks;
    bool m_areMarksNew = false; ///< since the last refresh
    RepaintPace m_pace;
    RefreshTimer m_refresh;
    ChartStack* m_charts;
    ChartControls* m_controls;
    MarkerRow* m_markers;
    PhaseRow* m_phases;
    EmptyState m_empty; ///< of the loss chart
};

} // namespace lockstep::ui
