// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QObject;

namespace lockstep::ui {

class LiveRun;
class SessionController;
class WindowSettings;

/// Has the desktop know of a training: while this computer trains the run that is shown, it is kept
/// awake, unless `keepAwake` is off, which is kept in the settings; and its progress stands at the
/// program's icon in the task bar. Where this program was built without D-Bus there is neither, and
/// `keepAwake` is hidden. GUI thread.
void addTrainingSigns(
    SessionController& controller, LiveRun& run, QAction& keepAwake, WindowSettings& settings,
    QObject& owner);

} // namespace lockstep::ui
