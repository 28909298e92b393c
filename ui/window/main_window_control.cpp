// SPDX-License-Identifier: GPL-3.0-or-later
// How a run that goes on is changed from the window, and how its alerts get into it.
#include "panels/log/log_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/towers/tower_panel.h"
#include "window/alerts/alert_desk.h"
#include "window/base/window_actions.h"
#include "window/commands/change_desk.h"
#include "window/main_window.h"

#include <QAction>

namespace lockstep::ui {

void MainWindow::connectChanges()
{
    ChangeDesk* const desk = m_changeDesk.get();
    connect(
        m_actions->changeLearningRate, &QAction::triggered, desk,
        qOverload<>(&ChangeDesk::askForLearningRate));
    connect(m_actions->changeSteps, &QAction::triggered, desk, &ChangeDesk::askForSteps);
    connect(m_actions->stopAfterEpoch, &QAction::triggered, &m_controller, [this](bool isWanted) {
        m_controller.send(command::StopAfterEpoch{isWanted});
    });
    m_runPanel->setLiveActions({m_actions->changeLearningRate, m_actions->changeSteps});
    // What was asked for is known to be so once the run says it.
    connect(&m_controller.feed(), &RunFeed::noteArrived, this, &MainWindow::updateChanges);
    connect(&m_controller.feed(), &RunFeed::configChanged, this, &MainWindow::updateChanges);
}

void MainWindow::updateChanges()
{
    m_actions->changeLearningRate->setEnabled(m_changeDesk->canChangeLearningRate());
    m_actions->changeSteps->setEnabled(m_changeDesk->canChangeSteps());
    const bool isLive = m_controller.can(command::StopAfterEpoch{});
    m_actions->stopAfterEpoch->setEnabled(isLive);
    m_actions->stopAfterEpoch->setChecked(isLive && m_controller.stopStep() >= 0);
    m_runPanel->setLiveActionsShown(isLive);
}

void MainWindow::connectAlerts()
{
    AlertDesk* const desk = m_alertDesk.get();
    connect(desk, &AlertDesk::noted, m_logPanel, &LogPanel::append);
    connect(desk, &AlertDesk::logRequested, this, [this] { goTo(*m_logPanel); });
    connect(desk, &AlertDesk::towersRequested, this, [this] { goTo(*m_towerPanel); });
    connect(
        desk, &AlertDesk::lowerLearningRateRequested, m_changeDesk.get(),
        &ChangeDesk::askForLowerLearningRate);
    const bool isOn = m_settings.isNotifying();
    m_actions->notifications->setVisible(desk->canNotify());
    m_actions->notifications->setChecked(isOn);
    desk->setNotifying(isOn);
    connect(m_actions->notifications, &QAction::toggled, this, [this, desk](bool isWanted) {
        m_settings.setNotifying(isWanted);
        desk->setNotifying(isWanted);
    });
}

} // namespace lockstep::ui
