// SPDX-License-Identifier: GPL-3.0-or-later
// How a run goes on that has ended, with other settings; and what is changed while it trains.
#include "bridge/runs/run_origin.h"
#include "engine/config.h"
#include "engine/run.h"
#include "panels/run_form/run_panel.h"
#include "window/commands/run_desk.h"

namespace lockstep::ui {

void RunDesk::continueUntil(qint64 steps)
{
    attempt([&] {
        RunRequest request = requestToContinue(m_parts.run.folder());
        request.config.steps = steps;
        prepare(request, {});
        startPrepared();
    });
}

void RunDesk::continueWithLowerRate()
{
    setUpShownRun();
    m_parts.panel.goTo(QStringLiteral("learning_rate.initial"));
}

/// Of a run that goes on, the settings that are offered after its end must not take the change
/// back.
void RunDesk::onConfig(const RunConfig& config)
{
    if (m_parts.controller.isBusy()) {
        m_parts.panel.showRunning(config);
        if (m_started.isResume) {
            m_started.config.steps = config.steps;
            m_started.config.learningRate = config.learningRate;
        }
    }
}

} // namespace lockstep::ui
