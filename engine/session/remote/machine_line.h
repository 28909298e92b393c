// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "session/control/control_socket.h"
#include "session/mirror/frame_channel.h"
#include "session/remote/mirror_set.h"
#include "session/remote/remote_machine.h"
#include "session/remote/ssh_process.h"

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lockstep {

/// The line to a machine: connects, reads what comes, brings mirrors up to date, and passes
/// questions on, on a thread of its own. Thread-safe.
class MachineLine
{
public:
    MachineLine(RemoteMachineSettings settings, RemoteListener listener);
    ~MachineLine();
    MachineLine(const MachineLine&) = delete;
    MachineLine& operator=(const MachineLine&) = delete;

    [[nodiscard]] const RemoteAddress& address() const noexcept { return m_settings.address; }
    [[nodiscard]] const MirrorSet& mirrors() const noexcept { return m_mirrors; }
    [[nodiscard]] RemoteState state() const;
    [[nodiscard]] std::vector<RemoteRun> runs() const;
    void reconnect();
    void stop();
    void follow(const std::string& run);
    /// Sends a question and waits for its answer's value. Errors as of RemoteMachine.
    Frame ask(Frame question) { return ask(std::move(question), {}); }

private:
    /// As long as anybody still sends on it.
    struct Connection
    {
        explicit Connection(const RemoteMachineSettings& settings)
            : ssh(settings), channel(ssh.stream(), ssh.stream())
        {
        }

        SshProcess ssh;
        FrameChannel channel;
    };

    struct Question
    {
        std::promise<Frame> answer;
        std::string relay; ///< the run whose relay waits for it; empty: somebody else
    };

    // On the thread.
    void work();
    ConnectionFailure connectOnce();
    bool endConnection();
    void endQuestions();
    bool waitToRetry(double seconds);
    void readFrames(FrameChannel& channel);
    void heedWishes(FrameChannel& channel);
    void take(FrameChannel& channel, const Frame& frame);
    void takeHello(const Frame& frame);
    void takeRuns(const Frame& frame);
    void takeAnswer(const Frame& frame);
    void setRelayed(const std::string& run, bool isRelayed);
    void tell(const RemoteState& state);

    Frame ask(Frame question, const std::string& relay);
    void wake() const;
    [[nodiscard]] bool isStopped() const;
    [[nodiscard]] std::string pass(const std::string& run, const std::string& line);
    [[nodiscard]] Error unreachable() const;

    const RemoteMachineSettings m_settings;
    const RemoteListener m_listener;
    Descriptor m_wake; ///< readable once something is wanted of the thread
    mutable std::mutex m_mutex;
    bool m_isStopped = false;
    bool m_isRetryWanted = false;
    RemoteState m_state;
    std::map<std::string, RemoteRun> m_known;
    std::vector<std::string> m_names; ///< of the runs, in order
    std::set<std::string> m_wanted;   ///< runs to follow
    std::int64_t m_nextQuestion = 0;
    std::map<std::int64_t, Question> m_questions;
    std::set<std::string> m_relayed;          ///< runs whose mirror passes lines on
    std::shared_ptr<Connection> m_connection; ///< while there is one, up or not yet
    // Of the thread alone.
    MirrorSet m_mirrors;
    std::set<std::string> m_followed; ///< as the other end knows
    std::string m_refusal;            ///< of the other end
    bool m_wasConnected = false;

    std::thread m_thread;
};

} // namespace lockstep
