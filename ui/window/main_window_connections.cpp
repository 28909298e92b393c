// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/base/file_names.h"
#include "bridge/runs/run_title.h"
#include "bridge/validation/presets.h"
#include "dialogs/about_dialog.h"
#include "dialogs/cifar10_dialog.h"
#include "dialogs/devices_dialog.h"
#include "dialogs/shortcuts_dialog.h"
#include "engine/storage.h"
#include "models/engine_text.h"
#include "panels/charts/chart_stack.h"
#include "panels/charts/charts_panel.h"
#include "panels/log/log_panel.h"
#include "panels/preview/preview_panel.h"
#include "panels/run_form/run_panel.h"
#include "panels/towers/tower_panel.h"
#include "plots/view/plot_view.h"
#include "window/base/window_actions.h"
#include "window/commands/chart_desk.h"
#include "window/commands/file_commands.h"
#include "window/commands/run_desk.h"
#include "window/main_window.h"

#include <QApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QStatusBar>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kSmoothingStep = 5; // hundredths

/// A dialog beside the window that nothing waits for.
void showBeside(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

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
    connect(m_actions->start, &QAction::triggered, m_desk.get(), &RunDesk::start);
    for (const auto& [action, command] : runCommands()) {
        connect(action, &QAction::triggered, &m_controller, [this, sent = command] {
            m_controller.send(sent);
        });
    }
    connect(m_actions->evaluate, &QAction::triggered, m_desk.get(), &RunDesk::evaluate);
    connect(m_actions->continueRun, &QAction::triggered, m_desk.get(), &RunDesk::continueShownRun);
    connect(m_actions->getCifar10, &QAction::triggered, this, &MainWindow::showCifar10Dialog);

    connect(&m_controller, &SessionController::stateChanged, this, [this] {
        statusBar()->clearMessage(); // what a hidden button does, which nobody points at any more
        updateActions();
        if (m_isClosing && !m_controller.isBusy()) {
            // Those who listen after this window still have to hear it.
            QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
        }
    });
    connect(&m_controller, &SessionController::writerChanged, this, &MainWindow::updateActions);
    connect(m_desk.get(), &RunDesk::continuableChanged, this, &MainWindow::updateActions);
    connect(m_runPanel, &RunPanel::checked, this, &MainWindow::updateReadiness);
}

void MainWindow::connectFileActions()
{
    connect(m_actions->newRun, &QAction::triggered, m_desk.get(), &RunDesk::setUpNewRun);
    FileCommands* const files = m_fileCommands.get();
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
    new ChartDesk({*this, *m_charts, m_run, *m_messages}, *m_actions);
    connect(m_actions->quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions->recentRuns, &QMenu::aboutToShow, this, [this] {
        fillRecent(*m_actions->recentRuns, true);
    });
    connect(m_actions->recentCheckpoints, &QMenu::aboutToShow, this, [this] {
        fillRecent(*m_actions->recentCheckpoints, false);
    });
}

void MainWindow::fillPresets()
{
    m_actions->presets->clear();
    std::vector<Preset> all = presets();
    std::ranges::move(ownPresets(), std::back_inserter(all));
    for (const Preset& preset : all) {
        QAction* const action = m_actions->presets->addAction(preset.title);
        action->setObjectName(QStringLiteral("preset_") + preset.name);
        action->setToolTip(preset.description);
        action->setStatusTip(preset.description);
        connect(action, &QAction::triggered, this, [this, config = preset.config] {
            m_desk->setUp(config);
        });
    }
    m_actions->presets->setToolTipsVisible(true);
}

void MainWindow::fillRecent(QMenu& menu, bool isRuns)
{
    menu.clear();
    const QStringList names = isRuns ? m_library.recentRuns() : m_library.recentCheckpoints();
    for (const QString& name : names) {
        const QFileInfo info(name);
        QAction* const action = menu.addAction(
            isRuns ? titleOf(toPath(name))
                   : tr("%1 (%2)").arg(info.fileName(), info.dir().dirName()));
        action->setToolTip(name);
        connect(action, &QAction::triggered, this, [this, isRuns, path = toPath(name)] {
            isRuns ? m_desk->openRun(path) : m_desk->loadCheckpoint(path);
        });
    }
    menu.setToolTipsVisible(true);
    if (names.isEmpty()) {
        menu.addAction(tr("None yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    connect(menu.addAction(tr("Clear This List")), &QAction::triggered, this, [this, isRuns] {
        isRuns ? m_library.clearRuns() : m_library.clearCheckpoints();
    });
}

void MainWindow::connectViewActions()
{
    XRange& range = m_charts->range();
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
    connect(m_actions->enlarge, &QAction::triggered, m_charts, &ChartsPanel::toggleEnlarged);
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
    connect(m_actions->theme, &QActionGroup::triggered, this, [this](QAction* action) {
        applyTheme(action->data().toString());
    });
    connect(m_actions->tallBelow, &QAction::triggered, this, &MainWindow::setTallBelow);
    connect(m_actions->resetLayout, &QAction::triggered, this, &MainWindow::resetLayout);
    connect(m_actions->fullScreen, &QAction::triggered, this, [this](bool isOn) {
        isOn ? showFullScreen() : showNormal();
    });
}

void MainWindow::connectHelpActions()
{
    connect(m_actions->shortcuts, &QAction::triggered, this, [this] {
        showBeside(new ShortcutsDialog(m_actions->all(), this));
    });
    connect(m_actions->devices, &QAction::triggered, this, [this] {
        showBeside(new DevicesDialog(m_devices, this));
    });
    connect(m_actions->about, &QAction::triggered, this, [this] {
        showBeside(new AboutDialog(m_devices, this));
    });
    connect(m_actions->aboutQt, &QAction::triggered, this, [] { QApplication::aboutQt(); });
}

void MainWindow::connectPanels()
{
    connect(m_towerPanel, &TowerPanel::moreRoomWanted, this, &MainWindow::widenTowers);
    RunDesk* const desk = m_desk.get();
    connect(desk, &RunDesk::noted, m_logPanel, &LogPanel::append);
    connect(
        &m_controller.feed(), &RunFeed::historyArrived, m_logPanel,
        [this](const std::vector<RunEvent>& events) {
            if (std::exchange(m_loggedRun, m_run.folder()) == m_run.folder()) {
                return; // opened again, or trained by this window
            }
            for (const RunEvent& event : events) {
                m_logPanel->appendAt(
                    QDateTime::fromMSecsSinceEpoch(std::llround(1000.0 * event.time)),
                    engineText(event.text), event.level != "info");
            }
        });
    connect(desk, &RunDesk::logRequested, this, [this] { goTo(*m_logPanel); });
    connect(m_runPanel, &RunPanel::devicesWanted, this, &MainWindow::findDevices);
    connect(m_runPanel, &RunPanel::getCifar10Requested, this, &MainWindow::showCifar10Dialog);
    connect(m_runPanel, &RunPanel::requestChanged, this, [this] {
        if (!m_controller.isBusy()) {
            m_previewPanel->setConfig(m_runPanel->request().config);
        }
    });
    connect(&m_run, &LiveRun::begun, this, [this] {
        nameWindow();
        updateActions();
        if (m_controller.isBusy()) {
            m_loggedRun = m_run.folder();
            m_previewPanel->setConfig(m_run.config());
        }
    });
    connect(&m_run, &LiveRun::stepsAppended, this, &MainWindow::onSteps);
}

void MainWindow::showCifar10Dialog()
{
    if (m_cifar10 == nullptr) {
        m_cifar10 = new Cifar10Dialog(this);
        connect(m_cifar10, &Cifar10Dialog::ready, m_desk.get(), &RunDesk::offerCifar10);
    }
    m_cifar10->show();
    m_cifar10->raise();
    m_cifar10->activateWindow();
}

} // namespace lockstep::ui
