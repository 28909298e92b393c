// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/remote_control.h"

#include <chrono>
#include <exception>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::chrono::milliseconds kAskEvery{500};

} // namespace

RemoteControl::RemoteControl(
    std::filesystem::path folder, QObject& context, RemoteListener& listener)
    : m_remote(std::move(folder)), m_listener(listener), m_mailbox(context)
{
    m_thread = std::thread([this] { work(); });
}

RemoteControl::~RemoteControl()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isWanted = false;
        m_commands.clear();
    }
    m_changed.notify_all();
    m_thread.join();
}

void RemoteControl::send(const RunCommand& command)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_commands.push_back(command);
    }
    m_changed.notify_all();
}

void RemoteControl::work()
{
    std::unique_lock lock(m_mutex);
    while (m_isWanted) {
        std::optional<RunCommand> command;
        if (!m_commands.empty()) {
            command = m_commands.front();
            m_commands.pop_front();
        }
        lock.unlock();
        if (command) {
            carryOut(*command);
        }
        ask();
        lock.lock();
        m_changed.wait_for(lock, kAskEvery, [this] { return !m_isWanted || !m_commands.empty(); });
    }
}

void RemoteControl::carryOut(const RunCommand& command)
{
    try {
        m_remote.send(command);
    } catch (const std::exception& error) {
        m_mailbox.post(
            [this, text = QString::fromUtf8(error.what())] { m_listener.onRemoteError(text); });
    }
}

void RemoteControl::ask()
{
    std::optional<RunStatus> status;
    try {
        status = m_remote.status();
    } catch (const std::exception&) { // it is told as silence
    }
    m_mailbox.post([this, status] { m_listener.onRemoteStatus(status); });
}

} // namespace lockstep::ui
