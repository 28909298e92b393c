// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/telemetry/session_event.h"
#include "engine/remote.h"

#include <QObject>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

namespace lockstep::ui {

/// Speaks to the process that trains a run, on a thread of its own: asks it twice a second how it
/// stands, and sends it what a person wants; what does not reach it is told as a note. Made and
/// destroyed in the GUI thread.
class RemoteControl
{
public:
    /// `listener` is told in the thread of `context`, which must outlive this object.
    RemoteControl(std::filesystem::path folder, QObject& context, SessionListener listener);
    /// Waits for an answer that is being waited for: moments, except for a process that hangs.
    ~RemoteControl();
    RemoteControl(const RemoteControl&) = delete;
    RemoteControl& operator=(const RemoteControl&) = delete;

    void send(const RunCommand& command);

private:
    void work();
    void carryOut(const RunCommand& command);
    void ask();

    RunRemote m_remote;
    SessionMailbox m_told;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<RunCommand> m_commands;
    bool m_isWanted = true;
    std::thread m_thread;
};

} // namespace lockstep::ui
