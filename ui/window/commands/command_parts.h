// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lockstep::ui {

class LiveRun;
class Notices;
class RunLibrary;
class RunPanel;
class SessionController;
class WindowSettings;

/// What the commands of a window work with, all of which must outlive them.
struct CommandParts
{
    SessionController& controller;
    LiveRun& run;
    RunLibrary& library;
    RunPanel& panel;
    Notices& notices;
    WindowSettings& settings;
    QWidget& window;      ///< owns dialogs and menus
    bool canTrain = true; ///< not in a window that only looks at a run
};

} // namespace lockstep::ui
