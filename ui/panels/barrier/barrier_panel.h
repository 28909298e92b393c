// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "engine/records.h"
#include "panels/shared/panel.h"
#include "panels/shared/refresh_timer.h"

#include <vector>

class QVBoxLayout;

namespace lockstep::ui {

class BarrierBars;
class BarrierStrip;
class BarrierTally;
class NoteLabel;
class PhaseLegend;

/// The dock "Barrier Clock": where the time of a step goes in each tower, and whom all others wait
/// for. It gathers always and paints when it is seen, twice a second at most.
class BarrierPanel : public Panel
{
    Q_OBJECT

public:
    /// The run must outlive the panel.
    explicit BarrierPanel(LiveRun& run, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// A heading with a muted caption beside it, and what stands under it.
    struct Section
    {
        QWidget* whole = nullptr;
        QVBoxLayout* rows = nullptr;
        NoteLabel* caption = nullptr;
    };
    Section makeSection(const QString& title, QVBoxLayout* rows);
    void makeSections(QVBoxLayout* rows);
    void clear();
    void onSteps(const std::vector<StepRecord>& records);
    void refresh();
    void showSections(bool arePhasesKnown);
    [[nodiscard]] QString noteOf(const BarrierSummary& summary, bool arePhasesKnown) const;

    BarrierClock m_clock;
    std::vector<StepRecord> m_latest; ///< for the strip, the last one for the bars
    RefreshTimer m_refresh;

    NoteLabel* m_note;
    Section m_lastStep;
    Section m_lastSteps;
    Section m_cameLast;
    BarrierBars* m_bars;
    PhaseLegend* m_legend;
    BarrierStrip* m_strip;
    BarrierTally* m_tally;
};

} // namespace lockstep::ui
