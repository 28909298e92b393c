// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/remote/machine_connection.h"

#include "engine/base.h"
#include "engine/storage.h"
#include "models/engine_text.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace lockstep::ui {

namespace fs = std::filesystem;

namespace {

template<class Function>
void postTo(const std::weak_ptr<const Mailbox>& mailbox, Function function)
{
    if (const auto open = mailbox.lock()) {
        open->post(std::move(function));
    }
}

} // namespace

MachineConnection::~MachineConnection()
{
    const bool isSilent = blockSignals(true); // whoever listened may be gone
    leave();
    blockSignals(isSilent);
}

void MachineConnection::connectTo(const RemoteAddress& address, const QString& program)
{
    leave();
    m_mailbox = std::make_shared<const Mailbox>(*this);
    const std::weak_ptr<const Mailbox> mailbox = m_mailbox;
    RemoteListener listener;
    listener.onState = [this, mailbox](const RemoteState& state) {
        postTo(mailbox, [this, state] { onState(state); });
    };
    listener.onRuns = [this, mailbox](const std::vector<RemoteRun>& /*runs*/) {
        postTo(mailbox, [this] {
            emit runsChanged();
            serveWaiting();
        });
    };
    listener.onCaughtUp = [this, mailbox](const std::string& run) {
        postTo(mailbox, [this, run] {
            m_here.insert(run);
            serveWaiting();
        });
    };
    RemoteMachineSettings settings;
    settings.address = address;
    if (!program.isEmpty()) {
        settings.program = program.toStdString();
    }
    m_machine = std::make_shared<RemoteMachine>(settings, std::move(listener));
    emit stateChanged();
}

void MachineConnection::leave()
{
    if (!m_machine) {
        return;
    }
    m_machine->stop();
    m_machine.reset();
    m_mailbox.reset();
    m_facts.reset();
    m_isAskingFacts = false;
    m_here.clear();
    m_waiting.clear();
    const bool wasReached = std::exchange(m_isReached, false);
    emit stateChanged();
    if (wasReached) {
        emit machineChanged();
    }
}

std::shared_ptr<RemoteMachine> MachineConnection::machine() const
{
    return m_isReached ? m_machine : nullptr;
}

std::optional<RemoteState> MachineConnection::state() const
{
    return m_machine ? std::optional(m_machine->state()) : std::nullopt;
}

QString MachineConnection::name() const
{
    return m_isReached ? QString::fromStdString(m_machine->address().machine()) : QString();
}

bool MachineConnection::isMirror(const fs::path& folder) const
{
    return m_isReached && !m_machine->runOf(folder).empty();
}

void MachineConnection::onState(const RemoteState& state)
{
    const bool isNew = m_machine && state.kind == RemoteState::Kind::Connected && !m_isReached;
    m_isReached = m_isReached || isNew;
    emit stateChanged();
    if (isNew) {
        emit machineChanged();
    }
    if (state.kind == RemoteState::Kind::Connected && !m_facts) {
        refreshFacts();
    }
}

void MachineConnection::whenHere(const fs::path& folder, const std::function<void()>& then)
{
    const std::string run = isMirror(folder) ? m_machine->runOf(folder) : std::string();
    if (run.empty() || m_here.contains(run)) {
        return then();
    }
    m_waiting[run].push_back(then);
    m_machine->follow(run);
}

/// A run that was only just started may be followed before it is listed, which makes the mirror.
void MachineConnection::serveWaiting()
{
    std::vector<std::function<void()>> ready;
    std::erase_if(m_waiting, [&](const auto& waiting) {
        const fs::path mirror = m_machine ? m_machine->mirrorOf(waiting.first) : fs::path();
        const bool isReady = m_here.contains(waiting.first) && RunFolder::isRun(mirror);
        if (isReady) {
            std::ranges::copy(waiting.second, std::back_inserter(ready));
        }
        return isReady;
    });
    for (const auto& then : ready) {
        then();
    }
}

void MachineConnection::ask(
    const std::function<std::function<void()>(RemoteMachine&)>& work, const Failure& failed)
{
    m_threads.start([machine = m_machine, mailbox = std::weak_ptr(m_mailbox), work, failed] {
        std::function<void()> lastWord;
        try {
            lastWord = work(*machine);
        } catch (const std::exception& error) {
            lastWord = [failed, text = engineText(error.what())] { failed(text); };
        }
        postTo(mailbox, lastWord);
    });
}

void MachineConnection::refreshFacts()
{
    if (!m_isReached || std::exchange(m_isAskingFacts, true)) {
        return;
    }
    ask(
        [this](RemoteMachine& machine) -> std::function<void()> {
            return [this, facts = machine.facts()] {
                m_isAskingFacts = false;
                m_facts = facts;
                emit factsChanged();
            };
        },
        [this](const QString& /*reason*/) { m_isAskingFacts = false; });
}

void MachineConnection::start(
    const RemoteStart& wanted, const std::function<void(const fs::path&)>& started,
    const Failure& failed)
{
    ask(
        [wanted, started](RemoteMachine& machine) -> std::function<void()> {
            return [started, mirror = machine.mirrorOf(machine.start(wanted))] { started(mirror); };
        },
        failed);
}

void MachineConnection::copy(
    const fs::path& file, const fs::path& target, const std::function<void(double)>& told,
    const std::function<void()>& copied, const Failure& failed)
{
    const std::weak_ptr<const Mailbox> mailbox = m_mailbox;
    ask(
        [mailbox, file, target, told, copied](RemoteMachine& machine) -> std::function<void()> {
            const fs::path name = fs::relative(file, machine.mirrors());
            const std::string run = name.begin()->string();
            const fs::path here = machine.fetch(
                run, fs::relative(file, machine.mirrorOf(run)).string(),
                [&](std::int64_t bytes, std::int64_t total) {
                    const double share = static_cast<double>(bytes) / static_cast<double>(total);
                    postTo(mailbox, [told, share] { told(share); });
                    return true;
                });
            const fs::path part = fs::path(target) += ".part";
            fs::copy_file(here, part, fs::copy_options::overwrite_existing);
            fs::rename(part, target);
            return copied;
        },
        failed);
}

} // namespace lockstep::ui
