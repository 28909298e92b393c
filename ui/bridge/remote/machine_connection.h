// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "engine/machines.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::ui {

/// The machine whose runs the windows show, if any: at most one at a time. What asks it and waits
/// does so on threads of its own; answers arrive in the GUI thread, and none once it is left. Lives
/// in the GUI thread.
class MachineConnection : public QObject
{
    Q_OBJECT

public:
    using Failure = std::function<void(const QString& reason)>;

    using QObject::QObject;
    /// Leaves the machine; waits for calls that are under way.
    ~MachineConnection() override;

    /// Leaves what there is. `program`: what the shell there finds lockstep-train by; empty: that
    /// name. Error(Io) where there is no room for mirrors.
    void connectTo(const RemoteAddress& address, const QString& program = {});
    /// What is trained there goes on. Also ends an attempt.
    void leave();

    /// Once it was reached, also while the line is lost; else null. To be asked on any thread.
    [[nodiscard]] std::shared_ptr<RemoteMachine> machine() const;
    /// Empty: there is neither a connection nor an attempt.
    [[nodiscard]] std::optional<RemoteState> state() const;
    /// "me@node7", for people; empty where there is no machine().
    [[nodiscard]] QString name() const;
    /// Empty until they are known, and where there is no machine().
    [[nodiscard]] const std::optional<RemoteFacts>& facts() const { return m_facts; }
    /// Whether this is the folder of a run that is on the machine.
    [[nodiscard]] bool isMirror(const std::filesystem::path& folder) const;

    /// Calls it as soon as the folder has all that the run has there by now: at once, unless it is
    /// a mirror. From then on the mirror is kept up to date.
    void whenHere(const std::filesystem::path& folder, const std::function<void()>& then);
    /// Asks for facts() anew.
    void refreshFacts();
    /// Starts a run there and tells its mirror, or why it can't be.
    void start(
        const RemoteStart& wanted, const std::function<void(const std::filesystem::path&)>& started,
        const Failure& failed);
    /// Copies a file of a run, which is named by its place in the mirror. `told`: how much is here,
    /// 0 to 1.
    void copy(
        const std::filesystem::path& file, const std::filesystem::path& target,
        const std::function<void(double share)>& told, const std::function<void()>& copied,
        const Failure& failed);

signals:
    /// state() is another.
    void stateChanged();
    /// machine() is another: reached for the first time, or left.
    void machineChanged();
    void runsChanged();
    void factsChanged();

private:
    void onState(const RemoteState& state);
    void serveWaiting();
    /// Calls what `work` returns here; it gets the machine on a thread of its own.
    void ask(
        const std::function<std::function<void()>(RemoteMachine&)>& work, const Failure& failed);

    std::shared_ptr<RemoteMachine> m_machine; ///< also while it was not reached yet
    bool m_isReached = false;
    std::optional<RemoteFacts> m_facts;
    bool m_isAskingFacts = false;
    std::set<std::string> m_here; ///< runs whose mirrors were complete
    std::map<std::string, std::vector<std::function<void()>>> m_waiting;
    /// What is on its way from a machine that was left never arrives.
    std::shared_ptr<const Mailbox> m_mailbox;
    QThreadPool m_threads; ///< last: it waits for them
};

} // namespace lockstep::ui
