// SPDX-License-Identifier: Apache-2.0
#include "session/remote/machine_line.h"

#include "base/clock.h"
#include "base/error.h"
#include "session/remote/remote_frames.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

namespace lockstep {
namespace {

constexpr double kFirstPauseSeconds = 0.5;
constexpr double kLongestPauseSeconds = 30.0;

std::filesystem::path cacheOf(const RemoteMachineSettings& settings)
{
    return settings.cache.empty() ? defaultRemoteCache() : settings.cache;
}

} // namespace

MachineLine::MachineLine(RemoteMachineSettings settings, RemoteListener listener)
    : m_settings(std::move(settings)), m_listener(std::move(listener)),
      m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      m_mirrors(
          cacheOf(m_settings), m_settings.address,
          [this](const std::string& run, const std::string& line) { return pass(run, line); })
{
    m_thread = std::thread([this] { work(); });
}

MachineLine::~MachineLine()
{
    stop();
    m_thread.join();
}

RemoteState MachineLine::state() const
{
    const std::scoped_lock lock(m_mutex);
    return m_state;
}

std::vector<RemoteRun> MachineLine::runs() const
{
    const std::scoped_lock lock(m_mutex);
    std::vector<RemoteRun> runs;
    for (const std::string& name : m_names) {
        runs.push_back(m_known.at(name));
    }
    return runs;
}

void MachineLine::reconnect()
{
    const std::scoped_lock lock(m_mutex);
    m_isRetryWanted = true;
    wake();
}

void MachineLine::stop()
{
    const std::scoped_lock lock(m_mutex);
    m_isStopped = true;
    if (m_connection) {
        m_connection->ssh.hangUp();
    }
    wake();
}

void MachineLine::follow(const std::string& run)
{
    const std::scoped_lock lock(m_mutex);
    if (isRunName(run)) {
        m_wanted.insert(run);
    }
    wake();
}

void MachineLine::wake() const
{
    static_cast<void>(::eventfd_write(m_wake.get(), 1));
}

bool MachineLine::isStopped() const
{
    const std::scoped_lock lock(m_mutex);
    return m_isStopped;
}

/// Needs the lock.
Error MachineLine::unreachable() const
{
    const std::string machine = m_settings.address.machine();
    if (m_isStopped) {
        return {ErrorCode::Cancelled, fmt::format("{}: the connection was ended", machine)};
    }
    return {
        ErrorCode::Io, m_state.reason.empty()
                           ? fmt::format("{}: not connected yet; wait a moment", machine)
                           : fmt::format("not connected just now: {}", m_state.reason)};
}

Frame MachineLine::ask(Frame question, const std::string& relay)
{
    std::future<Frame> answer;
    std::shared_ptr<Connection> connection;
    {
        const std::scoped_lock lock(m_mutex);
        if (m_isStopped || m_state.kind != RemoteState::Kind::Connected) {
            throw unreachable();
        }
        if (!relay.empty() && !m_relayed.contains(relay)) {
            throw Error(ErrorCode::Cancelled, "it is not followed any more");
        }
        connection = m_connection;
        question["t"] = "ask";
        question["id"] = ++m_nextQuestion;
        Question& asked = m_questions[m_nextQuestion];
        asked.relay = relay;
        answer = asked.answer.get_future();
    }
    try {
        connection->channel.send(question);
    } catch (const Error&) {
        connection->ssh.hangUp(); // the thread hears of it and ends what waits for an answer
    }
    connection.reset();
    return answer.get();
}

std::string MachineLine::pass(const std::string& run, const std::string& line)
{
    const Frame answer = ask({{"ask", "control"}, {"run", run}, {"line", line}}, run);
    const auto bytes = bytesOf(answer);
    return {bytes.begin(), bytes.end()};
}

void MachineLine::work()
{
    double pause = kFirstPauseSeconds;
    while (!isStopped()) {
        const ConnectionFailure failure = connectOnce();
        const bool wasUp = endConnection();
        if (isStopped()) {
            break;
        }
        // What fails at the first attempt is told, and left to the person.
        const bool isFinal = failure.isFinal || !m_wasConnected;
        pause = wasUp ? kFirstPauseSeconds : std::min(2.0 * pause, kLongestPauseSeconds);
        const auto kind = isFinal ? RemoteState::Kind::Refused : RemoteState::Kind::Lost;
        tell({kind, failure.reason, isFinal ? 0.0 : pause, state().run});
        if (!waitToRetry(isFinal ? -1.0 : pause)) {
            break;
        }
        if (isFinal) {
            tell({RemoteState::Kind::Connecting, {}, 0.0, state().run});
        }
    }
    endQuestions();
}

/// Until the pause is over or somebody wants it now; none: until then. False: it is over.
bool MachineLine::waitToRetry(double seconds)
{
    const Stopwatch watch;
    while (true) {
        {
            const std::scoped_lock lock(m_mutex);
            const bool isLate = seconds >= 0.0 && watch.seconds() >= seconds;
            if (m_isStopped || std::exchange(m_isRetryWanted, false) || isLate) {
                return !m_isStopped;
            }
        }
        const double left = std::max(0.0, seconds - watch.seconds());
        pollfd wanted{m_wake.get(), POLLIN, 0};
        ::poll(&wanted, 1, seconds < 0.0 ? -1 : static_cast<int>(left * 1000.0) + 1);
        eventfd_t ignored = 0;
        static_cast<void>(::eventfd_read(m_wake.get(), &ignored));
    }
}

/// Connects and does what there is to do until the line is lost.
ConnectionFailure MachineLine::connectOnce()
{
    m_refusal.clear();
    try {
        const auto connection = std::make_shared<Connection>(m_settings);
        {
            const std::scoped_lock lock(m_mutex);
            m_isRetryWanted = false;
            m_connection = connection;
            if (m_isStopped) {
                return {};
            }
        }
        std::string problem;
        try {
            readFrames(connection->channel);
        } catch (const LineGone&) {
            problem.clear(); // ssh says why
        } catch (const std::exception& error) {
            problem = error.what();
        }
        connection->ssh.hangUp();
        const int status = connection->ssh.end();
        if (!m_refusal.empty()) {
            return {fmt::format("{}: {}", m_settings.address.machine(), m_refusal), true};
        }
        if (!problem.empty()) {
            return {fmt::format("{}: {}", m_settings.address.machine(), problem), false};
        }
        return explainEnd(
            m_settings, status, connection->ssh.messages(), connection->channel.printed());
    } catch (const std::exception& error) {
        return {error.what(), false};
    }
}

/// Whether it had been up.
bool MachineLine::endConnection()
{
    bool wasUp = false;
    {
        const std::scoped_lock lock(m_mutex);
        wasUp = m_state.kind == RemoteState::Kind::Connected;
        m_state.kind = wasUp ? RemoteState::Kind::Lost : m_state.kind;
        m_connection.reset();
    }
    m_followed.clear();
    endQuestions();
    return wasUp;
}

void MachineLine::endQuestions()
{
    const std::scoped_lock lock(m_mutex);
    for (auto& [id, question] : m_questions) {
        question.answer.set_exception(std::make_exception_ptr(
            m_isStopped ? unreachable()
                        : Error(
                            ErrorCode::Io, fmt::format(
                                               "{}: the line was cut before the answer came",
                                               m_settings.address.machine()))));
    }
    m_questions.clear();
}

void MachineLine::tell(const RemoteState& state)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_state = state;
    }
    if (m_listener.onState) {
        m_listener.onState(state);
    }
}

} // namespace lockstep
