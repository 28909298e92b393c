// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/mailbox.h"
#include "engine/remote.h"

#include <QString>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

namespace lockstep::ui {

/// Told how the process stands that trains a run, in the GUI thread.
class RemoteListener
{
public:
    RemoteListener() = default;
    virtual ~RemoteListener() = default;
    RemoteListener(const RemoteListener&) = delete;
    RemoteListener& operator=(const RemoteListener&) = delete;

    /// Empty: it does not answer.
    virtual void onRemoteStatus(const std::optional<RunStatus>& status) = 0;
    /// What was sent has not reached it.
    virtual void onRemoteError(const QString& text) = 0;
};

/// Speaks to the process that trains a run, on a thread of its own: asks it twice a second how it
/// stands, and sends it what a person wants. Made and destroyed in the GUI thread.
class RemoteControl
{
public:
    /// `listener` is told in the thread of `context`; both must outlive this object.
    RemoteControl(std::filesystem::path folder, QObject& context, RemoteListener& listener);
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
    RemoteListener& m_listener;
    Mailbox m_mailbox;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<RunCommand> m_commands;
    bool m_isWanted = true;
    std::thread m_thread;
};

} // namespace lockstep::ui
