// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "engine/records.h"
#include "panels/shared/panel.h"
#include "widgets/forms/layouts.h"

#include <vector>

namespace lockstep::ui {

class BackwardBars;
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

    [[nodiscard]] QSize sizeHint() const override { return {260, 420}; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// A heading with a muted caption beside it, and what stands under it.
    struct Section
    {
        QWidget* whole = nullptr;
        NoteLabel* caption = nullptr;
    };
    void nameParts();
    Section makeSection(const QString& title, std::initializer_list<LayoutPart> parts);
    void clear();
    void onSteps(const std::vector<StepRecord>& records);
    void refresh();
    [[nodiscard]] QString noteOf(const BarrierSummary& summary, bool arePhasesKnown) const;

    const LiveRun& m_run;
    BarrierClock m_clock;
    std::vector<StepRecord> m_latest; ///< for the strip, the last one for the bars
    RefreshTimer m_refresh;

    NoteLabel* m_note;
    Section m_lastStep;
    Section m_lastSteps;
    Section m_cameLast;
    Section m_backward;
    BarrierBars* m_bars;
    PhaseLegend* m_legend;
    BarrierStrip* m_strip;
    BarrierTally* m_tally;
    BackwardBars* m_backwardBars;
    NoteLabel* m_backwardNote;
};

} // namespace lockstep::ui
