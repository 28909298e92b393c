// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/remote/machine_connection.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "panels/evaluation/evaluation_panel.h"
#include "panels/log/log_panel.h"
#include "panels/preview/preview_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/towers/tower_panel.h"
#include "plots/view/plot_view.h"
#include "window/alerts/alert_desk.h"
#include "window/main_window.h"

#include <QMenu>
#include <QStatusBar>

#include <algorithm>

namespace lockstep::ui {

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
    connect(m_actions->start, &QAction::triggered, m_starts, &StartCommands::start);
    connect(m_actions->evaluate, &QAction::triggered, m_starts, &StartCommands::evaluate);
    connect(
        m_actions->continueRun, &QAction::triggered, m_starts, &StartCommands::continueShownRun);
    m_actions->keepTraining->setChecked(m_settings.isTrainingKept());
    connect(m_actions->keepTraining, &QAction::toggled, this, [this](bool isKept) {
        m_settings.isTrainingKept.set(isKept);
    });
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_starts, &StartCommands::continuableChanged, this, &MainWindow::updateActions);
    connect(&m_checkpoints, &RunCheckpoints::changed, this, &MainWindow::updateActions);
    connect(&m_controller, &SessionController::stateChanged, this, [this] {
        statusBar()->clearMessage(); // what a hidden button does, which nobody points at any more
        updateActions();
        if ((m_isClosing || m_isLeft) && !m_controller.isBusy()) {
            // Those who listen after this window still have to hear it.
            QMetaObject::invokeMethod(this, &MainWindow::closeAfterRun, Qt::QueuedConnection);
        }
    });
    connect(&m_controller, &SessionController::writerChanged, this, &MainWindow::updateActions);
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
    PlotView* const loss = m_charts->plots().front();
    connect(m_actions->logarithmic, &QAction::triggered, loss, &PlotView::setLogarithmic);
    connect(loss, &PlotView::logarithmicChanged, m_actions->logarithmic, &QAction::setChecked);
    constexpr int kSmoothingStep = 5; // hundredths
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
    connect(m_actions->fullScreen, &QAction::triggered, this, [this] {
        setWindowState(windowState() ^ Qt::WindowFullScreen); // maximised it stays so
    });
}

void MainWindow::connectChartRange()
{
    XRange& range = m_charts->range();
    connect(m_actions->axis, &QActionGroup::triggered, this, [this](QAction* action) {
        m_charts->setAxis(static_cast<XAxis>(action->data().toInt()));
    });
    connect(m_actions->logarithmicX, &QAction::triggered, &range, &XRange::setLogarithmic);
    connect(m_actions->robust, &QAction::triggered, &range, &XRange::setRobust);
    using Turn = XRange::Turn;
    connect(m_actions->zoomBack, &QAction::triggered, &range, [&range] { range.turn(Turn::Back); });
    connect(m_actions->zoomForward, &QAction::triggered, &range, [&range] {
        range.turn(Turn::Forward);
    });
    connect(m_actions->fit, &QAction::triggered, &range, &XRange::fit);
    connect(m_actions->follow, &QAction::triggered, this, [&range](bool isOn) {
        isOn ? range.follow() : range.fit();
    });
    const auto showRange = [this, &range] {
        const std::vector<XAxis> axes = axesOf(range);
        for (QAction* const action : m_actions->axis->actions()) {
            const auto axis = static_cast<XAxis>(action->data().toInt());
            action->setChecked(axis == range.axis());
            action->setVisible(std::ranges::find(axes, axis) != axes.end());
        }
        m_actions->logarithmicX->setChecked(range.isLogarithmic());
        m_actions->robust->setChecked(range.isRobust());
        m_actions->zoomBack->setEnabled(range.canTurn(Turn::Back));
        m_actions->zoomForward->setEnabled(range.canTurn(Turn::Forward));
        m_actions->follow->setChecked(range.mode() == XRange::Mode::Follow);
    };
    showRange();
    for (const auto change :
         {&XRange::axisChanged, &XRange::axesChanged, &XRange::robustChanged,
          &XRange::historyChanged, &XRange::modeChanged}) {
        connect(&range, change, this, showRange);
    }
}

void MainWindow::connectPanels()
{
    connect(m_towerPanel, &TowerPanel::moreRoomWanted, this, &MainWindow::widenTowers);
    connect(m_notices, &Notices::noted, m_logPanel, &LogPanel::append);
    connect(m_notices, &Notices::logRequested, this, [this] { goTo(*m_logPanel); });
    connect(m_runPanel, &RunPanel::devicesWanted, this, &MainWindow::findDevices);
    const auto preview = [this] {
        if (!m_controller.isBusy()) {
            m_previewPanel->setConfig(m_runPanel->request().config, m_machine->machine());
        }
    };
    connect(m_runPanel, &RunPanel::requestChanged, this, preview);
    connect(m_machine.get(), &MachineConnection::machineChanged, this, preview);
    connect(&m_run, &LiveRun::begun, this, [this] {
        nameWindow();
        updateActions();
        fitDocks(m_run.isRecorded());
        if (m_controller.isBusy()) {
            m_previewPanel->setConfig(m_run.config());
        }
        m_runsPanel->setShownRun(m_run.folder());
        m_summaries.refreshSoon();
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
    connect(m_machine.get(), &MachineConnection::machineChanged, this, [this] {
        nameWindow();
        updateActions();
    });
    connect(m_opens, &OpenCommands::windowRequested, this, &MainWindow::lookAt);
    connect(m_opens, &OpenCommands::picturesTried, this, [this](const auto& places) {
        auto& evaluation = *findChild<EvaluationPanel*>();
        goTo(evaluation);
        evaluation.tryFiles(places);
    });
    connect(m_runsPanel, &RunsPanel::openRequested, m_opens, &OpenCommands::openRun);
    connect(m_runsPanel, &RunsPanel::fineTuneRequested, m_setUps, &SetUpCommands::setUpToFineTune);
    connect(m_runsPanel, &RunsPanel::renamed, this, &MainWindow::nameWindow);
}

void MainWindow::connectAlerts()
{
    connect(m_alertDesk, &AlertDesk::towersRequested, this, [this] { goTo(*m_towerPanel); });
    const bool isOn = m_settings.isNotifying();
    m_actions->notifications->setVisible(m_alertDesk->canNotify());
    m_actions->notifications->setChecked(isOn);
    m_alertDesk->setNotifying(isOn);
    connect(m_actions->notifications, &QAction::toggled, this, [this](bool isWanted) {
        m_settings.isNotifying.set(isWanted);
        m_alertDesk->setNotifying(isWanted);
    });
}

} // namespace lockstep::ui
