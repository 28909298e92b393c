// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "panels/log/log_panel.h"
#include "panels/preview/preview_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/checkpoint_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/towers/tower_panel.h"
#include "plots/view/plot_view.h"
#include "window/alerts/alert_desk.h"
#include "window/alerts/notices.h"
#include "window/base/window_actions.h"
#include "window/commands/change_commands.h"
#include "window/commands/checkpoint_commands.h"
#include "window/commands/file_commands.h"
#include "window/commands/open_commands.h"
#include "window/commands/set_up_commands.h"
#include "window/commands/start_commands.h"
#include "window/main_window.h"
#include "window/side_windows.h"

#include <QMenu>
#include <QStatusBar>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr int kSmoothingStep = 5; // hundredths

} // namespace

std::vector<std::pair<QAction*, RunCommand>> MainWindow::runCommands() const
{
    return {
        {m_actions->pause, command::Pause{}},
        {m_actions->resume, command::Resume{}},
        {m_actions->stepOnce, command::StepOnce{}},
        {m_actions->stop, command::Stop{}},
        {m_actions->saveCheckpoint, command::SaveCheckpoint{}}};
}

void MainWindow::connectRunActions()
{
    for (const auto& [action, command] : runCommands()) {
        connect(action, &QAction::triggered, &m_controller, [this, sent = command] {
            m_controller.send(sent);
        });
    }
    StartCommands* const starts = m_starts.get();
    connect(m_actions->start, &QAction::triggered, starts, &StartCommands::start);
    connect(m_actions->evaluate, &QAction::triggered, starts, &StartCommands::evaluate);
    connect(m_actions->continueRun, &QAction::triggered, starts, &StartCommands::continueShownRun);
    connect(starts, &StartCommands::continuableChanged, this, &MainWindow::updateActions);

    connect(&m_controller, &SessionController::stateChanged, this, [this] {
        statusBar()->clearMessage(); // what a hidden button does, which nobody points at any more
        updateActions();
        if (m_isClosing && !m_controller.isBusy()) {
            // Those who listen after this window still have to hear it.
            QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
        }
    });
    connect(&m_controller, &SessionController::writerChanged, this, &MainWindow::updateActions);
}

void MainWindow::connectFileActions()
{
    connect(m_actions->newRun, &QAction::triggered, m_setUps.get(), &SetUpCommands::setUpNewRun);
    FileCommands* const files = m_files.get();
    connect(m_actions->openRun, &QAction::triggered, files, &FileCommands::openRun);
    connect(m_actions->loadCheckpoint, &QAction::triggered, files, &FileCommands::loadCheckpoint);
    connect(
        m_actions->saveCheckpointAs, &QAction::triggered, files, &FileCommands::saveCheckpointAs);
    connect(
        m_actions->importConfiguration, &QAction::triggered, files,
        &FileCommands::importConfiguration);
    connect(
        m_actions->exportConfiguration, &QAction::triggered, files,
        &FileCommands::exportConfiguration);
    connect(m_actions->exportCsv, &QAction::triggered, files, &FileCommands::exportCsv);
    connect(files, &FileCommands::noted, m_logPanel, &LogPanel::append);
    connect(m_opens.get(), &OpenCommands::windowRequested, this, &MainWindow::lookAt);
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::connectViewActions()
{
    connectChartRange();
    connect(m_actions->places->actions().at(1), &QAction::triggered, this, [this] {
        m_charts->plots().front()->setFocus(Qt::ShortcutFocusReason);
    });
    for (QAction* const opening : m_charts->charts().openings()) {
        m_actions->charts->addAction(opening);
    }
    connect(m_actions->logarithmic, &QAction::triggered, m_charts, &ChartsPanel::setLogarithmic);
    connect(
        m_charts, &ChartsPanel::logarithmicChanged, m_actions->logarithmic, &QAction::setChecked);
    const auto smooth = [this](int change) {
        m_charts->setSmoothing(
            std::clamp(qRound(m_run.smoothing() * 100) + change, 0, ChartsPanel::kMostSmoothing));
    };
    connect(m_actions->smoothMore, &QAction::triggered, this, [smooth] { smooth(kSmoothingStep); });
    connect(
        m_actions->smoothLess, &QAction::triggered, this, [smooth] { smooth(-kSmoothingStep); });
    connect(m_actions->enlarge, &QAction::triggered, m_charts, &ChartsPanel::toggleEnlarged);
    connect(m_actions->theme, &QActionGroup::triggered, this, [this](QAction* action) {
        applyTheme(action->data().toString());
    });
    connect(m_actions->tallBelow, &QAction::triggered, this, &MainWindow::setTallBelow);
    connect(m_actions->resetLayout, &QAction::triggered, this, &MainWindow::resetLayout);
    connect(m_actions->fullScreen, &QAction::triggered, this, [this](bool isOn) {
        isOn ? showFullScreen() : showNormal();
    });
}

void MainWindow::connectChartRange()
{
    XRange& range = m_charts->range();
    connect(m_actions->axis, &QActionGroup::triggered, this, [this](QAction* action) {
        m_charts->setAxis(static_cast<XAxis>(action->data().toInt()));
    });
    const auto showAxis = [this, &range] {
        for (QAction* const action : m_actions->axis->actions()) {
            action->setChecked(action->data().toInt() == static_cast<int>(range.axis()));
        }
        m_actions->logarithmicX->setChecked(range.isLogarithmic());
    };
    showAxis();
    connect(&range, &XRange::axisChanged, this, showAxis);
    connect(m_actions->logarithmicX, &QAction::triggered, &range, &XRange::setLogarithmic);
    connect(m_actions->robust, &QAction::triggered, &range, &XRange::setRobust);
    m_actions->robust->setChecked(range.isRobust());
    connect(&range, &XRange::robustChanged, this, [this, &range] {
        m_actions->robust->setChecked(range.isRobust());
    });
    connect(m_actions->zoomBack, &QAction::triggered, &range, &XRange::back);
    connect(m_actions->zoomForward, &QAction::triggered, &range, &XRange::forward);
    const auto showHistory = [this, &range] {
        m_actions->zoomBack->setEnabled(range.history().hasBack());
        m_actions->zoomForward->setEnabled(range.history().hasForward());
    };
    showHistory();
    connect(&range, &XRange::historyChanged, this, showHistory);
    connect(m_actions->fit, &QAction::triggered, &range, &XRange::fit);
    connect(m_actions->follow, &QAction::triggered, this, [&range](bool isOn) {
        isOn ? range.follow() : range.fit();
    });
    connect(&range, &XRange::modeChanged, this, [this, &range] {
        m_actions->follow->setChecked(range.mode() == XRange::Mode::Follow);
    });
}

void MainWindow::connectPanels()
{
    connect(m_towerPanel, &TowerPanel::moreRoomWanted, this, &MainWindow::widenTowers);
    connect(m_notices.get(), &Notices::noted, m_logPanel, &LogPanel::append);
    connect(m_notices.get(), &Notices::logRequested, this, [this] { goTo(*m_logPanel); });
    connect(m_runPanel, &RunPanel::devicesWanted, this, &MainWindow::findDevices);
    connect(
        m_runPanel, &RunPanel::getCifar10Requested, m_sideWindows.get(),
        &SideWindows::showCifar10Dialog);
    connect(m_runPanel, &RunPanel::requestChanged, this, [this] {
        if (!m_controller.isBusy()) {
            m_previewPanel->setConfig(m_runPanel->request().config);
        }
    });
    connect(&m_run, &LiveRun::begun, this, [this] {
        nameWindow();
        updateActions();
        if (m_controller.isBusy()) {
            m_previewPanel->setConfig(m_run.config());
        }
    });
    connect(&m_run, &LiveRun::stepsAppended, m_previewPanel, [this](const auto& records) {
        m_previewPanel->setPosition(records.back().examples);
    });
}

void MainWindow::connectRuns()
{
    const auto listOthers = [this] { m_summaries.setOthers(m_library.recentRuns()); };
    listOthers();
    connect(&m_library, &RunLibrary::recentChanged, this, listOthers);
    connect(
        &m_controller, &SessionController::stateChanged, &m_summaries, &RunSummaries::refreshSoon);
    connect(&m_run, &LiveRun::begun, this, [this] {
        m_runsPanel->setShownRun(m_run.folder());
        m_summaries.refreshSoon();
    });
    connect(m_runsPanel, &RunsPanel::openRequested, m_opens.get(), &OpenCommands::openRun);
    connect(
        m_runsPanel, &RunsPanel::fineTuneRequested, m_setUps.get(),
        &SetUpCommands::setUpToFineTune);
    connect(m_runsPanel, &RunsPanel::renamed, this, &MainWindow::nameWindow);
}

void MainWindow::connectCheckpoints()
{
    auto* const pins = new PinRow(m_charts->range(), this);
    for (PlotView* const plot : m_charts->charts().allPlots()) {
        plot->setShared({.pins = pins});
    }
    CheckpointCommands* const commands = m_checkpointCommands.get();
    connect(&m_checkpoints, &RunCheckpoints::changed, this, [this, pins] {
        m_checkpointPanel->setItems(m_checkpoints.items());
        pins->setPins(pinsOf(m_checkpoints.items()));
        updateActions();
    });
    connect(pins, &PinRow::chosen, commands, &CheckpointCommands::showMenu);
    connect(m_checkpointPanel, &CheckpointPanel::chosen, commands, &CheckpointCommands::carryOut);
    connect(commands, &CheckpointCommands::abilitiesChanged, this, &MainWindow::updateActions);
    connect(commands, &CheckpointCommands::evaluated, &m_run, &LiveRun::evaluated);
    connect(commands, &CheckpointCommands::evaluated, &m_summaries, &RunSummaries::refreshSoon);
}

void MainWindow::connectChanges()
{
    ChangeCommands* const commands = m_changes.get();
    connect(
        m_actions->changeLearningRate, &QAction::triggered, commands,
        qOverload<>(&ChangeCommands::askForLearningRate));
    connect(m_actions->changeSteps, &QAction::triggered, commands, &ChangeCommands::askForSteps);
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
    m_actions->changeLearningRate->setEnabled(m_changes->canChangeLearningRate());
    m_actions->changeSteps->setEnabled(m_changes->canChangeSteps());
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
        desk, &AlertDesk::lowerLearningRateRequested, m_changes.get(),
        &ChangeCommands::askForLowerLearningRate);
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
