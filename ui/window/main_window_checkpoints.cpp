// SPDX-License-Identifier: GPL-3.0-or-later
// How checkpoints and the checklist of a run get into the window.
#include "engine/records.h"
#include "models/engine_text.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "panels/log/log_panel.h"
#include "panels/runs/checkpoint_panel.h"
#include "plots/view/plot_view.h"
#include "window/commands/checkpoint_desk.h"
#include "window/main_window.h"

namespace lockstep::ui {
namespace {

ChecklistLine checklistLine(const PreflightRecord& record)
{
    using Result = ChecklistLine::Result;
    const Result result = record.result == PreflightResult::Passed    ? Result::Passed
                          : record.result == PreflightResult::Warning ? Result::Warning
                                                                      : Result::Failed;
    return {
        QCoreApplication::translate("Preflight", record.name.c_str()), result,
        engineText(record.text)};
}

} // namespace

void MainWindow::connectCheckpoints()
{
    m_pins = new PinRow(m_charts->range(), this);
    for (PlotView* const plot : m_charts->charts().allPlots()) {
        plot->setShared({.pins = m_pins});
    }
    CheckpointDesk* const desk = m_checkpointDesk.get();
    connect(&m_checkpoints, &RunCheckpoints::changed, this, [this] {
        m_checkpointPanel->setItems(m_checkpoints.items());
        m_pins->setPins(pinsOf(m_checkpoints.items()));
        updateActions();
    });
    connect(m_pins, &PinRow::chosen, desk, &CheckpointDesk::showMenu);
    connect(m_checkpointPanel, &CheckpointPanel::chosen, desk, &CheckpointDesk::carryOut);
    connect(desk, &CheckpointDesk::noted, m_logPanel, &LogPanel::append);
    connect(desk, &CheckpointDesk::abilitiesChanged, this, &MainWindow::updateActions);
}

/// It is shown as long as the charts of the run are empty.
void MainWindow::connectChecklist()
{
    const auto forget = [this] {
        m_checklist.clear();
        m_charts->setChecklist({});
    };
    connect(&m_controller, &SessionController::stateChanged, this, [this, forget] {
        if (m_controller.state() == SessionController::State::Preparing) {
            forget();
        }
    });
    connect(&m_run, &LiveRun::begun, this, [this, forget] {
        if (!m_controller.isBusy()) { // none is shown any more, or one that is on disk
            forget();
        }
    });
    connect(
        &m_controller.feed(), &RunFeed::preflightArrived, this,
        [this](const PreflightRecord& record) {
            m_checklist.push_back(checklistLine(record));
            m_charts->setChecklist(m_checklist);
        });
}

} // namespace lockstep::ui
