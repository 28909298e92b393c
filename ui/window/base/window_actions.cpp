// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/base/window_actions.h"

#include "bridge/series/timeline.h"
#include "window/base/language.h"

#include <QAction>
#include <QLocale>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>

#include <algorithm>

namespace lockstep::ui {
WindowActions::WindowActions(QMainWindow& window) : QObject(&window)
{
    fillFileMenu(*window.menuBar()->addMenu(tr("&File")));
    fillRunMenu(*window.menuBar()->addMenu(tr("&Run")));
    fillViewMenu(*window.menuBar()->addMenu(tr("&View")));
    fillHelpMenu(*window.menuBar()->addMenu(tr("&Help")));
    for (QAction* const action :
         {stopAfterEpoch, keepTraining, keepAwake, logarithmic, logarithmicX, robust, follow,
          notifications, tallBelow, fullScreen}) {
        action->setCheckable(true);
    }
}

QAction* WindowActions::add(QMenu& menu, const QString& text, const QKeySequence& keys)
{
    QAction* const action = menu.addAction(text);
    action->setShortcut(keys);
    action->setProperty("group", menu.title().remove(QLatin1Char('&')));
    m_all.append(action);
    return action;
}

void WindowActions::fill(QMenu& menu, const std::vector<Entry>& entries)
{
    for (const Entry& entry : entries) {
        if (const auto* const submenu = std::get_if<QMenu**>(&entry.made)) {
            **submenu = menu.addMenu(entry.text);
        } else if (const auto* const made = std::get_if<QAction**>(&entry.made)) {
            QAction* const action = add(menu, entry.text, entry.keys);
            **made = action;
            if (!entry.toolTip.isEmpty()) {
                action->setToolTip(entry.toolTip);
                action->setStatusTip(entry.toolTip);
            }
            if (entry.icon) {
                action->setIcon(icon(*entry.icon));
            }
        } else {
            menu.addSeparator();
        }
    }
}

QActionGroup* WindowActions::addChoices(
    QMenu& menu, const std::vector<std::pair<QString, QVariant>>& choices)
{
    auto* const group = new QActionGroup(this);
    for (const auto& [text, value] : choices) {
        QAction* const action = add(menu, text);
        action->setCheckable(true);
        action->setData(value);
        group->addAction(action);
    }
    return group;
}

void WindowActions::fillFileMenu(QMenu& menu)
{
    QMenu* exports = nullptr;
    const std::vector<Entry> entries{
        {&newRun, tr("&New Run"), QKeySequence::New,
         tr("Sets up a new run from random weights, with the settings as they are"),
         IconName::NewRun},
        {&presets, tr("New Run from &Preset")},
        {},
        {&openRun, tr("&Open Run…"), QKeySequence::Open,
         tr("Shows a run, finished or being trained"), IconName::Open},
        {&recentRuns, tr("&Recent Runs")},
        {},
        {&loadCheckpoint, tr("&Load Checkpoint…"), tr("Ctrl+L"),
         tr("To continue its run, or to start a new one from its weights"), IconName::Folder},
        {&recentCheckpoints, tr("Recent C&heckpoints")},
        {&saveCheckpoint, tr("&Save Checkpoint"), QKeySequence::Save,
         tr("Saves the training at the end of this step, in the run's folder"), IconName::Save},
        {&saveCheckpointAs, tr("Save Checkpoint &As…"), tr("Ctrl+Shift+S"),
         tr("Saves the training at the end of this step in a file of your choice")},
        {},
        {&importConfiguration, tr("&Import Configuration…"), QString(),
         tr("Reads the settings of a run (.toml)")},
        {&exportConfiguration, tr("E&xport Configuration…"), QString(),
         tr("Writes the settings, for this window or for lockstep-train (.toml)")},
        {&savePreset, tr("Save as Prese&t…"), QString(),
         tr("Keeps the settings under a name, to start from")},
        {&exports, tr("&Export")},
        {},
        {&connectMachine, tr("&Connect…"), tr("Ctrl+Shift+C"),
         tr("Shows the runs of another machine, by ssh, and starts runs there")},
        {&disconnectMachine, tr("&Disconnect"), QString(),
         tr("Shows the runs of this computer again; what is trained there goes on")},
        {},
        {&quit, tr("&Quit"), tr("Ctrl+Q")}};
    fill(menu, entries);
    quit->setMenuRole(QAction::QuitRole);
    const std::vector<Entry> exportEntries{
        {&exportCharts, tr("&Charts as Picture…"), QString(),
         tr("PNG or SVG, of any size, light or dark")},
        {&exportOne, tr("&One Chart")},
        {&exportCsv, tr("&Metrics as CSV…"), QString(),
         tr("Every step of the run, and its evaluations")},
        {&exportSummary, tr("&Summary…"), QString(),
         tr("One page to send: curves, verdicts, results and settings, as HTML or PNG")}};
    fill(*exports, exportEntries);
}

void WindowActions::fillRunMenu(QMenu& menu)
{
    const std::vector<Entry> entries{
        {&start, tr("&Start"), tr("Ctrl+R"), tr("Starts the run"), IconName::Play},
        {&pause, tr("&Pause"), tr("Ctrl+P"), tr("Pauses at the end of this step"), IconName::Pause},
        {&resume, tr("R&esume"), tr("Ctrl+P"), tr("Goes on with the next step"), IconName::Play},
        {&stepOnce, tr("Step &Once"), tr("Ctrl+T"),
         tr("Makes one step of a paused run and pauses again")},
        {&stop, tr("S&top"), tr("Ctrl+."),
         tr("Finishes this step, saves a checkpoint and ends the run"), IconName::Stop},
        {&stopAfterEpoch, tr("Stop at En&d of Epoch"), QString(),
         tr("Stops with the step that completes the epoch; again: takes that back")},
        {},
        {&evaluate, tr("E&valuate Now"), tr("Ctrl+E"),
         tr("Scores the weights and their moving averages on the test set"), IconName::Evaluate},
        {&continueRun, tr("&Continue Run"), tr("Ctrl+Shift+R"),
         tr("Sets up the run that is shown to go on from its newest checkpoint")},
        {&keepTraining, tr("&Keep Training When the Window Closes"), QString(),
         tr("Runs that are started from now on train as processes of their own: they go on when "
            "this window closes or fails, and every window can show and command them")},
        {&keepAwake, tr("Keep Computer A&wake While Training"), QString(),
         tr("It does not go to sleep while a run is trained that this window shows; the screen may "
            "go dark")},
        {},
        {&changeLearningRate, tr("Change &Learning Rate…"), QString(),
         tr("Of the run that goes on, from the next step on; saves a pinned checkpoint first")},
        {&changeSteps, tr("Change &Number of Steps…"), QString(),
         tr("Makes the run longer or shorter; a run that has ended goes on")},
        {},
        {&findRate, tr("F&ind Learning Rate…"), QString(),
         tr("Tries rising learning rates for the run that is set up, and suggests one")},
        {&scalingRuler, tr("Scaling R&uler…"), QString(),
         tr("Measures what more towers bring on this computer"), IconName::Scaling},
        {&getCifar10, tr("&Get CIFAR-10…"), QString(), tr("Downloads the data set and checks it"),
         IconName::Download}};
    fill(menu, entries);
    evaluate->setIconText(tr("Evaluate"));
    changeLearningRate->setIconText(tr("Learning rate…"));
    changeSteps->setIconText(tr("Steps…"));
}

void WindowActions::fillViewMenu(QMenu& menu)
{
    QMenu* axes = nullptr;
    QMenu* themes = nullptr;
    QMenu* spoken = nullptr;
    const std::vector<Entry> entries{
        {&docks, tr("&Docks")},
        {&charts, tr("C&harts")},
        {&places, tr("&Go To")},
        {},
        {&smoothMore, tr("Smooth &More"), tr("Ctrl+]")},
        {&smoothLess, tr("Smooth &Less"), tr("Ctrl+[")},
        {&logarithmic, tr("Logarithmi&c Loss"), tr("Ctrl+Shift+L"), QString(), IconName::LogScale},
        {&axes, tr("&X Axis")},
        {&robust, tr("Leave Outliers off &Scale"), tr("Ctrl+Shift+O"),
         tr("A spike or the first losses do not flatten the rest; arrows show where they are")},
        {&enlarge, tr("&Enlarge Chart"), tr("Ctrl+Shift+M"),
         tr("All the room for one chart, or for all again")},
        {},
        {&zoomBack, tr("Zoom &Back"), tr("Alt+Left")},
        {&zoomForward, tr("Zoom For&ward"), tr("Alt+Right")},
        {&fit, tr("&Fit"), tr("Ctrl+0"), QString(), IconName::Fit},
        {&follow, tr("F&ollow"), tr("Ctrl+Shift+F"), QString(), IconName::Follow},
        {},
        {&themes, tr("&Theme")},
        {&spoken, tr("L&anguage")},
        {&notifications, tr("Desktop &Notifications"), QString(),
         tr("Reports alerts and the end of a run while the window is not active")},
        {&tallBelow, tr("Tall Lower &Panels"), tr("Ctrl+Shift+B"),
         tr("Half of the window for the panels below the charts, or five lines again; "
            "so does a double click on one of their tabs")},
        {&resetLayout, tr("&Reset Layout")},
        {&fullScreen, tr("F&ull Screen"), QKeySequence::FullScreen}};
    fill(menu, entries);
    if (fullScreen->shortcut().isEmpty()) {
        fullScreen->setShortcut(QKeySequence(Qt::Key_F11));
    }
    axis = addChoices(
        *axes, {{tr("&Step"), int(XAxis::Step)},
                {tr("&Epoch"), int(XAxis::Epoch)},
                {tr("E&xamples"), int(XAxis::Examples)},
                {tr("&Training Time"), int(XAxis::WallTime)}});
    fill(*axes, {{}, {&logarithmicX, tr("&Logarithmic x Axis"), tr("Ctrl+Shift+X")}});
    theme = addChoices(
        *themes, {{tr("As the Des&ktop"), QStringLiteral("system")},
                  {tr("&Light"), QStringLiteral("light")},
                  {tr("&Dark"), QStringLiteral("dark")}});
    // Languages are named in themselves, so that whoever needs one finds it.
    std::vector<std::pair<QString, QVariant>> named{
        {tr("As the Des&ktop", "language"), QLatin1String(kSystemLanguage)}};
    for (const Language& each : languages()) {
        named.emplace_back(
            each.percent == 100
                ? each.name
                : tr("%1 (%2 % translated)").arg(each.name, QLocale().toString(each.percent)),
            each.code);
    }
    language = addChoices(*spoken, named);
}

void WindowActions::fillHelpMenu(QMenu& menu)
{
    const std::vector<Entry> entries{
        {&userGuide, tr("User &Guide"), QKeySequence::HelpContents,
         tr("Opens at the chapter about where the keyboard is"), IconName::Help},
        {&shortcuts, tr("&Keyboard Shortcuts"), tr("Ctrl+F1"), QString(), IconName::Keyboard},
        {&devices, tr("&Devices and Libraries…"), QString(),
         tr("What can train on this computer, and why"), IconName::Devices},
        {},
        {&about, tr("&About Lockstep"), QString(), QString(), IconName::About},
        {&aboutQt, tr("About &Qt")}};
    fill(menu, entries);
    about->setMenuRole(QAction::AboutRole);
    aboutQt->setMenuRole(QAction::AboutQtRole);
}

QAction* WindowActions::addPlace(const QString& text)
{
    const auto number = places->actions().size() + 1;
    return add(
        *places, text,
        number < 10 ? tr("Ctrl+%1").arg(number) : tr("Ctrl+Shift+%1").arg(number - 9));
}

void WindowActions::setOfTrainingVisible(bool areVisible)
{
    for (QAction* const action :
         {saveCheckpoint, saveCheckpointAs, exportConfiguration, savePreset, stepOnce, stop,
          stopAfterEpoch, evaluate, continueRun, keepTraining, changeLearningRate, changeSteps,
          findRate, m_toolSeparator}) {
        action->setVisible(areVisible);
    }
}

QToolBar* WindowActions::makeToolBar(QMainWindow& window)
{
    QToolBar* const bar = window.addToolBar(tr("Main Tool Bar"));
    bar->setObjectName(QStringLiteral("tool_bar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    for (QAction* const action : {start, pause, resume, stop}) {
        bar->addAction(action);
    }
    // The two take each other's place, and Stop keeps its own.
    QWidget* const pausing = bar->widgetForAction(pause);
    QWidget* const resuming = bar->widgetForAction(resume);
    const int width = std::max(pausing->sizeHint().width(), resuming->sizeHint().width());
    pausing->setMinimumWidth(width);
    resuming->setMinimumWidth(width);
    m_toolSeparator = bar->addSeparator();
    bar->addAction(saveCheckpoint);
    bar->addAction(evaluate);
    return bar;
}

} // namespace lockstep::ui
