// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "bridge/readers/device_rows.h"
#include "models/names.h"
#include "panels/barrier/barrier_panel.h"
#include "panels/charts/charts_panel.h"
#include "panels/devices/devices_panel.h"
#include "panels/evaluation/evaluation_panel.h"
#include "panels/gradients/gradient_panel.h"
#include "panels/layers/weights_panel.h"
#include "panels/log/log_panel.h"
#include "panels/masks/masks_panel.h"
#include "panels/preview/preview_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/checkpoint_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/shared/experiment_text.h"
#include "panels/start/start_page.h"
#include "panels/towers/tower_panel.h"
#include "plots/axes/number_text.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "widgets/bars/message_bar.h"
#include "window/alerts/alert_desk.h"
#include "window/base/window_actions.h"
#include "window/commands/change_desk.h"
#include "window/commands/checkpoint_desk.h"
#include "window/commands/file_commands.h"
#include "window/commands/run_desk.h"
#include "window/status_line.h"

#include <QApplication>
#include <QCloseEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include <utility>

namespace lockstep::ui {
namespace {

/// The classic scripts print every tenth step; of thousands a second no more can be read.
constexpr std::int64_t kStepsBetweenLines = 10;
constexpr int kMillisecondsBetweenLines = 1000;

} // namespace

MainWindow::MainWindow(QSettings& settings, Purpose purpose)
    : m_purpose(purpose), m_settings(settings), m_library(settings), m_run(m_controller),
      m_checkpoints(m_run), m_actions(new WindowActions(*this)), m_messages(new MessageBar),
      m_runPanel(new RunPanel), m_towerPanel(new TowerPanel(m_run, m_highlight)),
      m_barrierPanel(new BarrierPanel(m_run)), m_gradientPanel(new GradientPanel(m_run)),
      m_masksPanel(new MasksPanel(m_controller, m_run)), m_logPanel(new LogPanel),
      m_previewPanel(new PreviewPanel), m_checkpointPanel(new CheckpointPanel),
      m_runsPanel(new RunsPanel(m_summaries, m_overlays)), m_weightsPanel(new WeightsPanel(m_run)),
      m_devicesPanel(new DevicesPanel(m_run)), m_evaluationPanel(new EvaluationPanel(m_run))
{
    setObjectName(QStringLiteral("main_window"));
    applyTheme(m_settings.theme());
    makeCentre();
    makeDocks();
    makeBars();
    m_desk = std::make_unique<RunDesk>(RunDesk::Parts{
        m_controller, m_run, m_library, *m_runPanel, *m_messages, m_settings, *this});
    m_fileCommands = std::make_unique<FileCommands>(
        FileCommands::Parts{m_controller, m_run, *m_desk, *m_runPanel, *m_messages, *this});
    m_checkpointDesk = std::make_unique<CheckpointDesk>(
        CheckpointDesk::Parts{m_controller, m_checkpoints, *m_desk, *m_messages, *this});
    m_changeDesk =
        std::make_unique<ChangeDesk>(ChangeDesk::Parts{m_controller, m_run, *m_desk, *this});
    m_alertDesk = std::make_unique<AlertDesk>(
        AlertDesk::Parts{m_controller, m_run, *m_messages, *this}, makeNotificationSender());
    connectRunActions();
    connectFileActions();
    connectViewActions();
    connectHelpActions();
    connectGuide();
    connectPanels();
    connectRuns();
    connectStartPage();
    connectCheckpoints();
    connectChecklist();
    connectChanges();
    connectAlerts();
    restore();
    findDevices();
}

MainWindow::~MainWindow()
{
    hide(); // panels that are told of it still find what they work with
    m_finders.waitForDone();
}

void MainWindow::updateActions()
{
    const bool canStart = m_controller.canStart();
    m_actions->start->setVisible(!m_controller.isBusy());
    for (const auto& [action, command] : runCommands()) {
        action->setEnabled(m_controller.can(command));
    }
    m_actions->pause->setVisible(!m_controller.can(command::Resume{}));
    m_actions->resume->setVisible(m_controller.can(command::Resume{}));
    m_actions->evaluate->setEnabled(m_controller.can(command::Evaluate{}));
    m_actions->saveCheckpointAs->setEnabled(m_controller.can(command::SaveCheckpointAs{}));
    for (QAction* const action :
         {m_actions->newRun, m_actions->loadCheckpoint, m_actions->importConfiguration}) {
        action->setEnabled(canStart);
    }
    for (QMenu* const menu : {m_actions->presets, m_actions->recentCheckpoints}) {
        menu->setEnabled(canStart);
    }
    m_startPage->setVisible(canStart && m_run.folder().empty());
    m_actions->continueRun->setEnabled(m_desk->canContinue());
    updateChanges();
    m_runsPanel->setFineTuningEnabled(canStart);
    m_actions->exportCsv->setEnabled(!m_run.folder().empty());
    for (QAction* const action :
         {m_actions->exportCharts, m_actions->exportDrawing, m_actions->exportOne->menuAction()}) {
        action->setEnabled(m_run.series() != nullptr);
    }
    m_checkpointPanel->setAbilities(m_checkpointDesk->abilities());
    updateReadiness();
}

/// What the fields decide: after every edit, so it looks at nothing but them.
void MainWindow::updateReadiness()
{
    const RunConfig config = m_runPanel->request().config;
    const QString problem = m_runPanel->problem();
    const bool isFollowing = m_controller.state() == SessionController::State::Following;
    m_actions->start->setEnabled(m_controller.canStart() && !isFollowing && problem.isEmpty());
    const auto keys = [](const QAction& action) {
        return action.shortcut().toString(QKeySequence::NativeText);
    };
    m_actions->start->setToolTip(
        isFollowing ? tr("Another process trains the shown run: New Run (%1) leaves it")
                          .arg(keys(*m_actions->newRun))
        : problem.isEmpty() ? tr("Starts the run (%1)").arg(keys(*m_actions->start))
                            : problem);
    if (isFollowing) {
        const int writer = m_controller.plan().writer.value_or(0);
        m_charts->setEmptyText(
            m_controller.can(command::StepOnce{})
                ? tr("Paused before the first step by process %1").arg(writer)
                : tr("The first step of process %1 is on its way").arg(writer));
        return;
    }
    if (!problem.isEmpty()) {
        m_status->setIdleText(tr("Not ready: %1").arg(problem));
        m_charts->setEmptyText(tr("Not ready to start: see the marked field"));
        m_startPage->setPrepared(problem, config);
        return;
    }
    m_status->setIdleText(tr("Ready to start"));
    if (m_controller.isBusy()) {
        m_charts->setEmptyText(tr("The first step is on its way"));
        return;
    }
    const QString experiment = experimentText(config);
    const QString press =
        tr("Press Start: %1, %2 steps, %3 on %4")
            .arg(
                config.towers == 1 ? tr("1 tower") : tr("%1 towers").arg(countText(config.towers)),
                countText(config.steps), modelTitle(QString::fromStdString(config.model.name)),
                datasetTitle(
                    QString::fromStdString(config.dataset),
                    QString::fromStdString(config.datasetPath)));
    const QString text = experiment.isEmpty() ? press : press + QStringLiteral(" · ") + experiment;
    m_charts->setEmptyText(text);
    m_startPage->setPrepared(text, config);
}

void MainWindow::onSteps(const std::vector<StepRecord>& records)
{
    m_previewPanel->setPosition(records.back().examples);
    for (const StepRecord& record : records) {
        const bool isDue =
            record.step % kStepsBetweenLines == 0 && record.step >= m_controller.plan().nextStep;
        if (isDue
            && (!m_sinceLogged.isValid() || m_sinceLogged.hasExpired(kMillisecondsBetweenLines))) {
            logStep(record);
            m_sinceLogged.start();
        }
    }
}

/// The line that the classic scripts print, with the mean that they don't.
void MainWindow::logStep(const StepRecord& record)
{
    m_logPanel->append(
        tr("step %1, loss = %2 (%3 examples/sec; %4 sec/batch)   last tower %5")
            .arg(
                countText(record.step), numberText(record.lossMean, {1.0, 4, {}}),
                numberText(record.examplesPerSecond, {1.0, 1, {}}),
                numberText(record.secondsPerBatch, {1.0, 4, {}}),
                numberText(record.lossLast, {1.0, 4, {}})),
        false);
}

void MainWindow::applyTheme(const QString& name)
{
    if (name == QLatin1String("light")) {
        QApplication::setPalette(lightPalette());
    } else if (name == QLatin1String("dark")) {
        QApplication::setPalette(darkPalette());
    } else {
        QApplication::setPalette(QPalette());
    }
    m_settings.setTheme(name);
    for (QAction* const action : m_actions->theme->actions()) {
        action->setChecked(action->data().toString() == name);
    }
}

void MainWindow::restore()
{
    restoreGeometry(m_settings.geometry());
    restoreState(m_settings.layout());
    const WindowSettings::Charts charts = m_settings.charts();
    m_charts->setSmoothing(charts.smoothing);
    m_charts->setLogarithmic(charts.isLogarithmic);
    m_charts->setAxis(charts.axis);
    m_charts->range().setLogarithmic(charts.isXLogarithmic);
    m_charts->range().setRobust(charts.isRobust);
    setChosenColors(charts.colors);
    if (!charts.heights.isEmpty()) {
        m_charts->restoreState(charts.heights);
    }
    const WindowSettings::RunTable runs = m_settings.runTable();
    m_runsPanel->restoreState(runs.columns);
    for (const QString& folder : runs.overlays) {
        m_overlays.setOverlaid(folder, true);
    }
    fillPresets();
    if (const auto config = m_settings.configuration()) {
        m_desk->setUp(*config);
    } else {
        m_actions->presets->actions().front()->trigger();
    }
    if (m_purpose == Purpose::Main) {
        if (const auto folder = m_settings.shownRun()) {
            m_controller.open(*folder);
        }
        m_desk->lookForInterruptedRun();
    }
    updateActions();
}

void MainWindow::save()
{
    m_settings.setWindow(saveGeometry(), saveState());
    m_settings.setCharts(
        {qRound(m_run.smoothing() * 100), m_charts->isLogarithmic(), m_charts->range().axis(),
         m_charts->range().isLogarithmic(), m_charts->range().isRobust(), m_charts->saveState(),
         chosenColors()});
    m_settings.setRunTable({m_runsPanel->saveState(), m_overlays.folders()});
    m_settings.setConfiguration(m_runPanel->request().config);
    m_settings.setShownRun(m_run.folder());
}

void MainWindow::stopAndClose()
{
    m_isClosing = true;
    if (m_controller.isBusy()) {
        m_controller.send(command::Stop{});
    } else {
        close();
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_controller.isBusy()) {
        event->ignore();
        if (!m_isClosing) {
            askBeforeClose();
        }
        return;
    }
    if (m_purpose == Purpose::Main) {
        save();
    }
    event->accept();
    emit closed();
}

void MainWindow::askBeforeClose()
{
    const QString name = QStringLiteral("close_question");
    if (auto* const asked = findChild<QMessageBox*>(name)) {
        asked->activateWindow();
        return;
    }
    auto* const box = new QMessageBox(
        QMessageBox::Question, tr("Lockstep"), tr("A run is going on."), QMessageBox::Cancel, this);
    box->setObjectName(name);
    box->setInformativeText(
        tr("It can be stopped at the end of this step and saved; later it goes on from there."));
    QPushButton* const stop = box->addButton(tr("Stop and Save"), QMessageBox::AcceptRole);
    box->setDefaultButton(stop);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(stop, &QPushButton::clicked, this, &MainWindow::stopAndClose);
    box->open(); // the charts go on behind it
}

void MainWindow::findDevices()
{
    if (std::exchange(m_isLookingForDevices, true)) {
        return;
    }
    m_finders.start([this] {
        const std::vector<DeviceRow> devices = findDeviceRows(); // may wake a driver: seconds
        QMetaObject::invokeMethod(
            this,
            [this, devices] {
                m_isLookingForDevices = false;
                m_devices = devices;
                m_runPanel->setDevices(devices);
            },
            Qt::QueuedConnection);
    });
}

} // namespace lockstep::ui
