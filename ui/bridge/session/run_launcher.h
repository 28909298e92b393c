// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/telemetry/session_event.h"
#include "engine/remote.h"

#include <QSocketNotifier>

namespace lockstep::ui {

/// Starts a run as a process of its own, and waits for it to come up without a thread. Told is
/// RunLaunched once it has, or RunOutcome with the training's own error. GUI thread.
class RunLauncher
{
public:
    /// `listener` is told in the thread of `context`, which must outlive this object. Error(Io) if
    /// no process can be started.
    RunLauncher(const RunRequest& request, QObject& context, SessionListener listener);

    /// It is not wanted any more; that is told as its error. Without this it goes on, whatever
    /// becomes of this object.
    void cancel() { m_launch.cancel(); }

private:
    void look();

    TrainingLaunch m_launch;
    SessionMailbox m_told;
    QSocketNotifier m_answer;
};

} // namespace lockstep::ui
