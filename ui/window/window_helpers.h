// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the window that nobody talks to once they are there: they connect themselves to actions
// and panels, and are their owner's. GUI thread.
#pragma once

#include "window/commands/window_commands.h"

#include <QString>

namespace lockstep::ui {

class LogPanel;
class OpenCommands;
class SetUpCommands;
class StartCommands;

/// What the window says before there are curves: whether the run that is set up can start, in
/// Start's tool tip, in the status bar and in place of the charts; and the checklist of the run
/// that begins.
void addReadiness(const WindowParts& parts, StartCommands& starts);

/// Keeps the log to the run that is shown: its history where it has one, and now and then the line
/// of a step as the classic scripts print it.
void addRunLog(const WindowParts& parts, LogPanel& panel);

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
