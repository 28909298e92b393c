// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "bridge/base/file_names.h"
#include "bridge/readers/device_history.h"
#include "bridge/remote/machine_connection.h"
#include "bridge/runs/run_origin.h"
#include "bridge/runs/run_title.h"
#include "engine/device.h"
#include "panels/charts/charts_panel.h"
#include "panels/log/log_panel.h"
#include "panels/preview/preview_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/runs/checkpoint_panel.h"
#include "panels/runs/runs_panel.h"
#include "panels/start/start_page.h"
#include "panels/towers/tower_panel.h"
#include "plots/charts/loss_plot.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "widgets/bars/message_bar.h"
#include "window/alerts/alert_desk.h"
#include "window/commands/window_commands.h"
#include "window/desktop/desktop.h"
#include "window/status_line.h"

#include <QApplication>
#include <QCloseEvent>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStatusBar>

#include <algorithm>
#include <utility>

namespace lockstep::ui {

MainWindow::MainWindow(
    QSettings& settings, Purpose purpose, std::shared_ptr<MachineConnection> machine)
    : m_purpose(purpose),
      m_machine(machine ? std::move(machine) : std::make_shared<MachineConnection>()),
      m_settings(settings), m_library(settings), m_run(m_controller), m_checkpoints(m_run),
      m_finder(
          *this,
          [](bool /*now*/) { // may wake a driver: seconds
              return std::make_shared<const std::vector<DeviceRow>>(
                  deviceRows(lockstep::findDevices()));
          },
          [this](bool /*now*/, const auto& devices) {
              m_devices = *devices;
              m_runPanel->setDevices(m_devices);
          }),
      m_actions(new WindowActions(*this)), m_messages(new MessageBar), m_lineBar(new MessageBar),
      m_runPanel(new RunPanel), m_towerPanel(new TowerPanel(m_run, m_highlight)),
      m_logPanel(new LogPanel), m_previewPanel(new PreviewPanel),
      m_checkpointPanel(new CheckpointPanel), m_runsPanel(new RunsPanel(m_summaries, m_overlays))
{
    setObjectName(QStringLiteral("main_window"));
    applyTheme(m_settings.theme());
    makePanels();
    m_status = new StatusLine(m_controller, m_run, *statusBar(), *m_actions->makeToolBar(*this));
    makeCommands();
    connectRunActions();
    connectViewActions();
    connectPanels();
    connectRuns();
    connectAlerts();
    restore();
    findDevices();
}

MainWindow::~MainWindow()
{
    hide(); // panels that are told of it still find what they work with
}

void MainWindow::makeCommands()
{
    m_notices = new Notices(m_controller, *m_messages, &m_commands);
    const WindowParts parts{m_commands,         m_controller,  m_run,
                            *m_machine,         m_library,     m_summaries,
                            m_overlays,         m_checkpoints, m_devices,
                            *m_runPanel,        *m_charts,     *m_runsPanel,
                            *m_checkpointPanel, *m_startPage,  *m_status,
                            *m_actions,         *m_notices,    *m_lineBar,
                            m_settings,         *this,         m_purpose == Purpose::Main};
    m_setUps = new SetUpCommands(parts);
    m_starts = new StartCommands(parts, *m_setUps);
    m_opens = new OpenCommands(parts, *m_setUps, *m_starts);
    m_alertDesk = new AlertDesk(
        m_controller, m_run, *m_notices, *this, makeNotificationSender(), &m_commands);
    if (m_purpose == Purpose::Main) {
        addTrainingSigns(m_controller, m_run, *m_actions->keepAwake, m_settings, m_commands);
    }
    addDropTarget(parts, *m_opens);
    addFileCommands(parts, *m_opens);
    addCheckpointCommands(parts, *m_setUps, *m_starts);
    addChangeCommands(parts, *m_starts, *m_alertDesk);
    addLibraryCommands(parts);
    addMachineCommands(parts, *m_opens);
    addChartCommands(parts);
    addSummaryCommand(parts);
    addStartMenus(parts, *m_setUps, *m_opens);
    addSideWindows(parts, *m_setUps);
    addRunLog(parts, *m_logPanel);
    addReadiness(parts, *m_starts);
    m_leaveStrip =
        addRunStrip(parts, *m_setUps, *m_starts, [this](QWidget& panel) { goTo(panel); });
}

void MainWindow::updateActions()
{
    const bool canTrain = m_purpose == Purpose::Main;
    const bool canStart = canTrain && m_controller.canStart();
    const bool isOwn = !m_run.isRecorded();
    m_actions->setOfTrainingVisible(isOwn);
    m_actions->start->setVisible(isOwn && canTrain);
    for (const auto& [action, command] : runCommands()) {
        action->setEnabled(m_controller.can(command));
    }
    m_actions->pause->setVisible(isOwn && !m_controller.can(command::Resume{}));
    m_actions->resume->setVisible(m_controller.can(command::Resume{}));
    m_actions->evaluate->setEnabled(
        m_controller.can(command::Evaluate{})
        || (m_starts->canContinue() && !m_machine->machine()));
    m_actions->saveCheckpointAs->setEnabled(m_controller.can(command::SaveCheckpointAs{}));
    for (QAction* const action : {m_actions->newRun, m_actions->importConfiguration}) {
        action->setEnabled(canTrain);
        action->setToolTip(canTrain ? action->statusTip() : tr("This window only shows a run"));
    }
    m_actions->presets->setEnabled(canTrain);
    m_actions->keepTraining->setEnabled(canTrain);
    m_actions->keepAwake->setEnabled(canTrain);
    m_startPage->setVisible(canStart && m_run.folder().empty());
    m_actions->continueRun->setEnabled(m_starts->canContinue());
    m_runsPanel->setFineTuningEnabled(canStart && !m_machine->machine());
    m_actions->exportCsv->setEnabled(!m_run.folder().empty());
    for (QAction* const action :
         {m_actions->exportCharts, m_actions->exportOne->menuAction(), m_actions->exportSummary}) {
        action->setEnabled(m_run.series() != nullptr);
    }
}

void MainWindow::nameWindow()
{
    const std::filesystem::path& run = m_run.folder();
    const QString name =
        m_purpose == Purpose::Look ? tr("%1 – view only – Lockstep") : tr("%1 – Lockstep");
    const QString title = run.empty() ? QString() : titleOf(run);
    setWindowTitle(
        run.empty()       ? tr("Lockstep")
        : m_run.machine() ? name.arg(tr("%1 on %2").arg(title, m_machine->name()))
                          : name.arg(title));
}

void MainWindow::lookAt(const std::filesystem::path& run)
{
    for (QWidget* const each : QApplication::topLevelWidgets()) {
        auto* const other = qobject_cast<MainWindow*>(each);
        if (other != nullptr && other->isVisible() && other->run().folder() == run) {
            return bringUp(*other);
        }
    }
    auto* const beside = new MainWindow(m_settings.settings(), Purpose::Look, m_machine);
    beside->setAttribute(Qt::WA_DeleteOnClose);
    connect(this, &MainWindow::closed, beside, &QWidget::close);
    beside->show();
    beside->move(pos() + QPoint(40, 40)); // both corners are seen
    beside->openCommands().openRun(run);
}

void MainWindow::applyTheme(const QString& name)
{
    QApplication::setPalette(
        name == QLatin1String("light")  ? lightPalette()
        : name == QLatin1String("dark") ? darkPalette()
                                        : QPalette());
    m_settings.theme.set(name);
    for (QAction* const action : m_actions->theme->actions()) {
        action->setChecked(action->data().toString() == name);
    }
}

void MainWindow::restore()
{
    m_actions->tallBelow->setChecked(m_settings.isTallBelow()); // first: a resize asks for it
    restoreGeometry(m_settings.geometry());
    restoreState(m_settings.layout());
    m_charts->setSmoothing(std::clamp(m_settings.smoothing(), 0, ChartsPanel::kMostSmoothing));
    m_charts->charts().loss().setLogarithmic(m_settings.isLogarithmic());
    m_charts->charts().loss().setTotalShown(m_settings.isTotalShown());
    m_charts->setAxis(m_settings.axis());
    m_charts->range().setLogarithmic(m_settings.isXLogarithmic());
    m_charts->range().setRobust(m_settings.isRobust());
    if (const QByteArray heights = m_settings.chartHeights(); !heights.isEmpty()) {
        m_charts->restoreState(heights);
    }
    m_runsPanel->restoreState(m_settings.runColumns());
    for (const QString& folder : m_settings.overlays()) {
        m_overlays.setOverlaid(folder, true);
    }
    if (m_purpose == Purpose::Main) {
        setChosenColors(m_settings.colors()); // of the whole program, and perhaps others by now
        if (const auto config = m_settings.configuration()) {
            m_setUps->setUp(*config);
        } else {
            m_actions->presets->actions().front()->trigger();
        }
        if (const auto folder = m_settings.shownRun()) {
            m_controller.open(*folder);
        }
        m_opens->lookForInterruptedRun();
    }
    updateActions();
}

void MainWindow::save()
{
    m_settings.geometry.set(saveGeometry());
    fitDocks(false); // for the runs of the next window
    if (m_lowHeight) {
        setHeightBelow(*m_lowHeight);
    }
    m_leaveStrip();
    m_settings.layout.set(saveState());
    m_settings.isTallBelow.set(m_actions->tallBelow->isChecked());
    m_settings.smoothing.set(qRound(m_run.smoothing() * 100));
    m_settings.isLogarithmic.set(m_charts->charts().loss().isLogarithmic());
    m_settings.isTotalShown.set(m_charts->charts().loss().isTotalShown());
    m_settings.setAxis(m_charts->range().axis());
    m_settings.isXLogarithmic.set(m_charts->range().isLogarithmic());
    m_settings.isRobust.set(m_charts->range().isRobust());
    m_settings.chartHeights.set(m_charts->saveState());
    m_settings.colors.set(chosenColors());
    m_settings.runColumns.set(m_runsPanel->saveState());
    QStringList overlays = m_overlays.folders();
    overlays.removeIf([this](const QString& run) { return m_machine->isMirror(toPath(run)); });
    m_settings.overlays.set(overlays);
    m_settings.setConfiguration(m_runPanel->request().config);
    m_settings.setShownRun(m_run.machine() ? std::filesystem::path() : m_run.folder());
}

void MainWindow::stopAndClose()
{
    m_isClosing = true;
    if (m_controller.trainsHere()) {
        m_controller.send(command::Stop{});
    } else {
        close();
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_controller.trainsHere()) {
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
    box->setInformativeText(tr(
        "It can be stopped at the end of this step and saved; later it goes on from there. Or it "
        "is saved and goes on at once without the window, in a process of its own."));
    QPushButton* const stop = box->addButton(tr("Stop and Save"), QMessageBox::AcceptRole);
    QPushButton* const keep = box->addButton(tr("Keep Training"), QMessageBox::ActionRole);
    box->setDefaultButton(stop);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(stop, &QPushButton::clicked, this, &MainWindow::stopAndClose);
    connect(keep, &QPushButton::clicked, this, [this] {
        m_isLeft = true;
        stopAndClose();
    });
    box->open(); // the charts go on behind it
}

/// A run that is left is waited for until its process trains. Where it does not, that is told of,
/// and the window stays.
void MainWindow::closeAfterRun()
{
    using State = SessionController::State;
    const State state = m_controller.state();
    const bool isStopped = std::exchange(m_isClosing, false);
    const bool isLeft = std::exchange(m_isLeft, false);
    if (isStopped && isLeft && state == State::Stopped && m_controller.isPlanned()) {
        m_notices->attempt([this] { m_controller.launch(requestToContinue(m_run.folder())); });
        m_isLeft = m_controller.isBusy();
    } else if (isLeft ? state == State::Following || state == State::Finished : isStopped) {
        close();
    }
}

void MainWindow::findDevices()
{
    if (m_machine->machine()) {
        m_machine->refreshFacts();
    } else if (!m_finder.isBusy()) {
        m_finder.request(true);
    }
}

} // namespace lockstep::ui
