// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/figures/device_model.h"

#include <QMainWindow>

#include <vector>

namespace lockstep::ui {

class ChartsPanel;
class CheckpointPanel;
class LiveRun;
class MachineConnection;
class MessageBar;
class Notices;
class OverlayRuns;
class RunCheckpoints;
class RunLibrary;
class RunPanel;
class RunsPanel;
class RunSummaries;
class SessionController;
class StartPage;
class StatusLine;
class WindowActions;
class WindowSettings;

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

} // namespace lockstep::ui
