// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/remote_control.h"

#include <chrono>
#include <exception>
#include <optional>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::chrono::milliseconds kAskEvery{500};

} // namespace

RemoteControl::RemoteControl(
    std::filesystem::path folder, QObject& context, SessionListener listener)
    : m_remote(std::move(folder)), m_told(context, std::move(listener))
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
        m_told.post(Note{NoteLevel::Warning, error.what()});
    }
}

void RemoteControl::ask()
{
    WriterAnswer answer;
    try {
        answer.status = m_remote.status();
    } catch (const std::exception&) { // it is told as silence
    }
    m_told.post(answer);
}

} // namespace lockstep::ui
