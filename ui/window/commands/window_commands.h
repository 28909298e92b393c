// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands of a window work with; and those, and other parts of it, that nobody talks to
// once they are there: they connect themselves to actions and panels, and are their owner's. GUI
// thread.
#pragma once

#include "bridge/session/live_run.h"
#include "models/figures/device_model.h"
#include "window/alerts/notices.h"
#include "window/base/window_actions.h"
#include "window/base/window_settings.h"

#include <QCoreApplication>
#include <QMainWindow>

#include <functional>
#include <vector>

namespace lockstep::ui {

class AlertDesk;
class ChartsPanel;
class CheckpointPanel;
class LogPanel;
class MachineConnection;
class OpenCommands;
class OverlayRuns;
class RunCheckpoints;
class RunLibrary;
class RunPanel;
class RunSummaries;
class RunsPanel;
class SetUpCommands;
class StartCommands;
class StartPage;
class StatusLine;

/// What the commands of a window work with, all of which must outlive them.
struct WindowParts
{
    QObject& owner; ///< of the commands: goes before the rest
    SessionController& controller;
    LiveRun& run;
    MachineConnection& machine;
    RunLibrary& library;
    RunSummaries& summaries;
    OverlayRuns& overlays;
    RunCheckpoints& checkpoints;
    const std::vector<DeviceRow>& devices;
    RunPanel& panel;
    ChartsPanel& charts;
    RunsPanel& runsPanel;
    CheckpointPanel& checkpointPanel;
    StartPage& page;
    StatusLine& status;
    WindowActions& actions;
    Notices& notices;
    MessageBar& lineBar; ///< of the line to the machine
    WindowSettings& settings;
    QMainWindow& window;  ///< owns dialogs and menus
    bool canTrain = true; ///< not in a window that only looks at a run
};

/// What a person changes in a run while it trains, here or in another process: asks for the value
/// beside the window, and sends it.
void addChangeCommands(const WindowParts& parts, StartCommands& starts, AlertDesk& alerts);

/// What a person does with pictures of the charts: all of them or one, as a file or on the
/// clipboard, by the File menu, by a chart's own menu, or by Ctrl+C in a chart.
void addChartCommands(const WindowParts& parts);

/// What a person does with a checkpoint of the run that is shown, from its pin on a chart or from
/// the table: nothing here waits, and an error becomes a message. Destroyed, they give up an
/// evaluation that is going on, and wait for it.
void addCheckpointCommands(const WindowParts& parts, SetUpCommands& setUps, StartCommands& starts);

/// Files that are dragged over the window, over any part of it: a line says what comes of them, and
/// dropped they are opened.
void addDropTarget(const WindowParts& parts, OpenCommands& opens);

/// What a person reads and writes by the File menu: asks for the file beside the window, and hands
/// what was read to OpenCommands. Destroyed, they wait for what is being written.
void addFileCommands(const WindowParts& parts, OpenCommands& opens);

/// The run that is shown on one page, as HTML with its pictures inside or as a picture: curves,
/// verdicts, results and settings.
void addSummaryCommand(const WindowParts& parts);

/// The runs of another machine in place of those of this one: connects, shows how the line stands,
/// and leaves it.
void addMachineCommands(const WindowParts& parts, OpenCommands& opens);

/// What a person does with the runs of the table, whichever is shown: compares two, shows the
/// folder of one, takes one off the list or moves it to the trash.
void addLibraryCommands(const WindowParts& parts);

/// What the window says before there are curves: whether the run that is set up can start, in
/// Start's tool tip, in the status bar and in place of the charts; and the checklist of the run
/// that begins.
void addReadiness(const WindowParts& parts, StartCommands& starts);

/// Keeps the log to the run that is shown: its history where it has one, and now and then the line
/// of a step as the classic scripts print it.
void addRunLog(const WindowParts& parts, LogPanel& panel);

/// Brings a panel to the front and puts the keyboard into it.
using GoToPanel = std::function<void(QWidget& panel)>;

/// A line below the tool bar. While a run trains it says what is trained, with what may be changed
/// in it, and the form is folded away: a click on the line, or the form's key, shows it. When the
/// run has ended the form is back, and the line offers what can be done next. Returns what makes
/// the window look as if no run trained, for the layout that is kept.
[[nodiscard]] std::function<void()> addRunStrip(
    const WindowParts& parts, SetUpCommands& setUps, const StartCommands& starts, GoToPanel goTo);

/// The windows beside the main one, none of which holds it up: guide, scaling ruler, download,
/// devices and what else the menus show; and the language that the next start speaks.
void addSideWindows(const WindowParts& parts, SetUpCommands& setUps);

/// What a run can begin with, as the start page and the menus offer it: presets, shipped and a
/// person's own, and the runs and checkpoints of before.
void addStartMenus(const WindowParts& parts, SetUpCommands& setUps, OpenCommands& opens);

/// The chapter of the user guide that is about the part of the window that this widget belongs to;
/// empty where there is none.
QString helpChapterOf(const QWidget* widget);

} // namespace lockstep::ui
