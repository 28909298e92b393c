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

namespace lockstep::ui {
namespace {

/// The menu's name without its mnemonic.
QString plain(QString text)
{
    return text.remove(QLatin1Char('&'));
}

} // namespace

WindowActions::WindowActions(QMainWindow& window) : QObject(&window)
{
    addFileMenu(*window.menuBar()->addMenu(tr("&File")));
    addRunMenu(*window.menuBar()->addMenu(tr("&Run")));
    addViewMenu(*window.menuBar()->addMenu(tr("&View")));
    addHelpMenu(*window.menuBar()->addMenu(tr("&Help")));
}

QAction* WindowActions::add(QMenu& menu, const Entry& entry)
{
    auto* const action = new QAction(entry.text, this);
    action->setShortcut(entry.keys);
    action->setProperty("group", plain(menu.title()));
    if (!entry.toolTip.isEmpty()) {
        action->setToolTip(entry.toolTip);
        action->setStatusTip(entry.toolTip);
    }
    menu.addAction(action);
    m_all.append(action);
    return action;
}

QAction* WindowActions::add(QMenu& menu, IconName name, const Entry& entry)
{
    QAction* const action = add(menu, entry);
    action->setIcon(icon(name));
    return action;
}

void WindowActions::addFileMenu(QMenu& menu)
{
    newRun =
        add(menu, IconName::NewRun,
            {tr("&New Run"), QKeySequence::New,
             tr("Sets up a new run from random weights, with the settings as they are")});
    presets = menu.addMenu(tr("New Run from &Preset"));
    menu.addSeparator();
    openRun =
        add(menu, IconName::Open,
            {tr("&Open Run…"), QKeySequence::Open, tr("Shows a run, finished or being trained")});
    recentRuns = menu.addMenu(tr("&Recent Runs"));
    menu.addSeparator();
    loadCheckpoint =
        add(menu, IconName::Folder,
            {tr("&Load Checkpoint…"), QKeySequence(tr("Ctrl+L")),
             tr("To continue its run, or to start a new one from its weights")});
    recentCheckpoints = menu.addMenu(tr("Recent C&heckpoints"));
    saveCheckpoint =
        add(menu, IconName::Save,
            {tr("&Save Checkpoint"), QKeySequence::Save,
             tr("Saves the training at the end of this step, in the run's folder")});
    saveCheckpointAs =
        add(menu, {tr("Save Checkpoint &As…"), QKeySequence(tr("Ctrl+Shift+S")),
                   tr("Saves the training at the end of this step in a file of your choice")});
    menu.addSeparator();
    importConfiguration =
        add(menu, {tr("&Import Configuration…"), {}, tr("Reads the settings of a run (.toml)")});
    exportConfiguration =
        add(menu, {tr("E&xport Configuration…"),
                   {},
                   tr("Writes the settings, for this window or for lockstep-train (.toml)")});
    savePreset = add(
        menu, {tr("Save as Prese&t…"), {}, tr("Keeps the settings under a name, to start from")});
    addExportMenu(*menu.addMenu(tr("&Export")));
    menu.addSeparator();
    quit = add(menu, {tr("&Quit"), QKeySequence(tr("Ctrl+Q"))});
    quit->setMenuRole(QAction::QuitRole);
}

void WindowActions::addExportMenu(QMenu& menu)
{
    exportCharts =
        add(menu, {tr("&Charts as Picture…"), {}, tr("PNG or SVG, of any size, light or dark")});
    exportOne = menu.addMenu(tr("&One Chart"));
    exportCsv =
        add(menu, {tr("&Metrics as CSV…"), {}, tr("Every step of the run, and its evaluations")});
}

void WindowActions::addRunMenu(QMenu& menu)
{
    start =
        add(menu, IconName::Play, {tr("&Start"), QKeySequence(tr("Ctrl+R")), tr("Starts the run")});
    pause =
        add(menu, IconName::Pause,
            {tr("&Pause"), QKeySequence(tr("Ctrl+P")), tr("Pauses at the end of this step")});
    resume =
        add(menu, IconName::Play,
            {tr("R&esume"), QKeySequence(tr("Ctrl+P")), tr("Goes on with the next step")});
    stepOnce =
        add(menu, {tr("Step &Once"), QKeySequence(tr("Ctrl+T")),
                   tr("Makes one step of a paused run and pauses again")});
    stop =
        add(menu, IconName::Stop,
            {tr("S&top"), QKeySequence(tr("Ctrl+.")),
             tr("Finishes this step, saves a checkpoint and ends the run")});
    stopAfterEpoch =
        add(menu, {tr("Stop at En&d of Epoch"),
                   {},
                   tr("Stops with the step that completes the epoch; again: takes that back")});
    stopAfterEpoch->setCheckable(true);
    menu.addSeparator();
    evaluate =
        add(menu, IconName::Evaluate,
            {tr("E&valuate Now"), QKeySequence(tr("Ctrl+E")),
             tr("Scores the weights and their moving averages on the test set")});
    evaluate->setIconText(tr("Evaluate"));
    continueRun =
        add(menu, {tr("&Continue Run"), QKeySequence(tr("Ctrl+Shift+R")),
                   tr("Sets up the run that is shown to go on from its newest checkpoint")});
    addChanges(menu);
    menu.addSeparator();
    scalingRuler =
        add(menu, IconName::Scaling,
            {tr("Scaling R&uler…"), {}, tr("Measures what more towers bring on this computer")});
    getCifar10 =
        add(menu, IconName::Download,
            {tr("&Get CIFAR-10…"), {}, tr("Downloads the data set and checks it")});
}

void WindowActions::addChanges(QMenu& menu)
{
    menu.addSeparator();
    changeLearningRate = add(
        menu,
        {tr("Change &Learning Rate…"),
         {},
         tr("Of the run that goes on, from the next step on; saves a pinned checkpoint first")});
    changeLearningRate->setIconText(tr("Learning rate…"));
    changeSteps =
        add(menu, {tr("Change &Number of Steps…"),
                   {},
                   tr("Makes the run longer or shorter; a run that has ended goes on")});
    changeSteps->setIconText(tr("Steps…"));
}

void WindowActions::addViewMenu(QMenu& menu)
{
    docks = menu.addMenu(tr("&Docks"));
    charts = menu.addMenu(tr("C&harts"));
    places = menu.addMenu(tr("&Go To"));
    menu.addSeparator();
    smoothMore = add(menu, {tr("Smooth &More"), QKeySequence(tr("Ctrl+]"))});
    smoothLess = add(menu, {tr("Smooth &Less"), QKeySequence(tr("Ctrl+["))});
    logarithmic =
        add(menu, IconName::LogScale, {tr("Logarithmi&c Loss"), QKeySequence(tr("Ctrl+Shift+L"))});
    logarithmic->setCheckable(true);
    addAxes(*menu.addMenu(tr("&X Axis")));
    robust = add(
        menu,
        {tr("Leave Outliers off &Scale"), QKeySequence(tr("Ctrl+Shift+O")),
         tr("A spike or the first losses do not flatten the rest; arrows show where they are")});
    robust->setCheckable(true);
    enlarge =
        add(menu, {tr("&Enlarge Chart"), QKeySequence(tr("Ctrl+Shift+M")),
                   tr("All the room for one chart, or for all again")});
    menu.addSeparator();
    zoomBack = add(menu, {tr("Zoom &Back"), QKeySequence(tr("Alt+Left"))});
    zoomForward = add(menu, {tr("Zoom For&ward"), QKeySequence(tr("Alt+Right"))});
    fit = add(menu, IconName::Fit, {tr("&Fit"), QKeySequence(tr("Ctrl+0"))});
    follow = add(menu, IconName::Follow, {tr("F&ollow"), QKeySequence(tr("Ctrl+Shift+F"))});
    follow->setCheckable(true);
    menu.addSeparator();
    addThemes(*menu.addMenu(tr("&Theme")));
    addLanguages(*menu.addMenu(tr("L&anguage")));
    notifications =
        add(menu, {tr("Desktop &Notifications"),
                   {},
                   tr("Reports alerts and the end of a run while the window is not active")});
    notifications->setCheckable(true);
    tallBelow =
        add(menu, {tr("Tall Lower &Panels"), QKeySequence(tr("Ctrl+Shift+B")),
                   tr("Half of the window for the panels below the charts, or five lines again; "
                      "so does a double click on one of their tabs")});
    tallBelow->setCheckable(true);
    resetLayout = add(menu, {tr("&Reset Layout")});
    fullScreen = add(menu, {tr("F&ull Screen"), QKeySequence::FullScreen});
    if (fullScreen->shortcut().isEmpty()) {
        fullScreen->setShortcut(QKeySequence(Qt::Key_F11));
    }
    fullScreen->setCheckable(true);
}

void WindowActions::addAxes(QMenu& menu)
{
    axis = new QActionGroup(this);
    const std::vector<std::pair<QString, XAxis>> entries{
        {tr("&Step"), XAxis::Step},
        {tr("&Epoch"), XAxis::Epoch},
        {tr("E&xamples"), XAxis::Examples},
        {tr("&Training Time"), XAxis::WallTime}};
    for (const auto& [text, value] : entries) {
        QAction* const action = add(menu, {text});
        action->setCheckable(true);
        action->setData(static_cast<int>(value));
        axis->addAction(action);
    }
    menu.addSeparator();
    logarithmicX = add(menu, {tr("&Logarithmic x Axis"), QKeySequence(tr("Ctrl+Shift+X"))});
    logarithmicX->setCheckable(true);
}

void WindowActions::addThemes(QMenu& menu)
{
    theme = new QActionGroup(this);
    const std::vector<std::pair<QString, QString>> entries{
        {tr("As the Des&ktop"), QStringLiteral("system")},
        {tr("&Light"), QStringLiteral("light")},
        {tr("&Dark"), QStringLiteral("dark")}};
    for (const auto& [text, value] : entries) {
        QAction* const action = add(menu, {text});
        action->setCheckable(true);
        action->setData(value);
        theme->addAction(action);
    }
}

/// Languages are named in themselves, so that whoever needs one finds it.
void WindowActions::addLanguages(QMenu& menu)
{
    language = new QActionGroup(this);
    const auto addLanguage = [&](const QString& text, const QString& code) {
        QAction* const action = add(menu, {text});
        action->setCheckable(true);
        action->setData(code);
        language->addAction(action);
    };
    addLanguage(tr("As the Des&ktop", "language"), QLatin1String(kSystemLanguage));
    for (const Language& each : languages()) {
        addLanguage(
            each.percent == 100
                ? each.name
                : tr("%1 (%2 % translated)").arg(each.name, QLocale().toString(each.percent)),
            each.code);
    }
}

void WindowActions::addHelpMenu(QMenu& menu)
{
    userGuide =
        add(menu, IconName::Help,
            {tr("User &Guide"), QKeySequence::HelpContents,
             tr("Opens at the chapter about where the keyboard is")});
    shortcuts =
        add(menu, IconName::Keyboard, {tr("&Keyboard Shortcuts"), QKeySequence(tr("Ctrl+F1"))});
    devices =
        add(menu, IconName::Devices,
            {tr("&Devices and Libraries…"), {}, tr("What can train on this computer, and why")});
    menu.addSeparator();
    about = add(menu, IconName::About, {tr("&About Lockstep")});
    about->setMenuRole(QAction::AboutRole);
    aboutQt = add(menu, {tr("About &Qt")});
    aboutQt->setMenuRole(QAction::AboutQtRole);
}

QAction* WindowActions::addPlace(const QString& text)
{
    const auto number = places->actions().size() + 1;
    return add(
        *places,
        {text, QKeySequence(
                   number < 10 ? tr("Ctrl+%1").arg(number) : tr("Ctrl+Shift+%1").arg(number - 9))});
}

QToolBar* WindowActions::makeToolBar(QMainWindow& window) const
{
    QToolBar* const bar = window.addToolBar(tr("Main Tool Bar"));
    bar->setObjectName(QStringLiteral("tool_bar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    for (QAction* const action : {start, pause, resume, stop}) {
        bar->addAction(action);
    }
    bar->addSeparator();
    bar->addAction(saveCheckpoint);
    bar->addAction(evaluate);
    return bar;
}

} // namespace lockstep::ui
