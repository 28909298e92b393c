// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/error.h"
#include "session/config/version.h"
#include "session/remote/machine_line.h"
#include "session/remote/remote_frames.h"

#include <fmt/core.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace lockstep {
namespace {

/// After so long without a word the other end is asked for one; after three times that it is gone.
constexpr int kSilenceMilliseconds = 15'000;
constexpr double kGoneSeconds = 45.0;

} // namespace

/// Until the end of the line.
void MachineLine::readFrames(FrameChannel& channel)
{
    channel.greet();
    channel.send({{"t", "hello"}, {"protocol", kRemoteProtocol}, {"version", versionText()}});
    Stopwatch heard;
    while (m_refusal.empty()) {
        if (channel.waitFor(kSilenceMilliseconds, m_wake.get())) {
            heard.restart();
            if (!channel.fill()) {
                static_cast<void>(channel.take()); // what was printed
                return;
            }
            while (const auto frame = channel.take()) {
                take(channel, *frame);
            }
        } else if (heard.seconds() > kGoneSeconds) {
            fail(ErrorCode::Io, "it does not answer any more");
        } else if (heard.seconds() * 1000.0 >= kSilenceMilliseconds) {
            channel.send({{"t", "ping"}});
        }
        heedWishes(channel);
    }
}

void MachineLine::heedWishes(FrameChannel& channel)
{
    eventfd_t ignored = 0;
    static_cast<void>(::eventfd_read(m_wake.get(), &ignored));
    std::set<std::string> wanted;
    {
        const std::scoped_lock lock(m_mutex);
        if (m_state.kind != RemoteState::Kind::Connected) {
            return;
        }
        wanted = m_wanted;
    }
    for (const std::string& run : wanted) {
        if (m_followed.insert(run).second) {
            channel.send({{"t", "follow"}, {"run", run}, {"mirror", m_mirrors.follow(run)}});
        }
    }
}

void MachineLine::take(FrameChannel& channel, const Frame& frame)
{
    try {
        const auto kind = frame["t"].get<std::string>();
        if (kind == "hello") {
            takeHello(frame);
        } else if (kind == "refused") {
            m_refusal = frame.at("reason").get<std::string>();
        } else if (kind == "runs") {
            takeRuns(frame);
        } else if (kind == "rows") {
            const auto run = frame.at("run").get<std::string>();
            m_mirrors.apply(run, frame);
            channel.send({{"t", "taken"}});
            if (m_listener.onGrown) {
                m_listener.onGrown(run);
            }
        } else if (kind == "complete") {
            const auto run = frame.at("run").get<std::string>();
            setRelayed(run, frame.at("process").get<int>() >= 0);
            if (m_listener.onCaughtUp) {
                m_listener.onCaughtUp(run);
            }
        } else if (kind == "answer") {
            takeAnswer(frame);
        }
    } catch (const nlohmann::json::exception&) {
        fail(ErrorCode::Data, "what came over the line is damaged");
    }
}

/// A relay that ends waits for its thread, which may wait for an answer, which only this thread can
/// bring: so that goes first.
void MachineLine::setRelayed(const std::string& run, bool isRelayed)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (isRelayed) {
            m_relayed.insert(run);
        } else {
            m_relayed.erase(run);
        }
        for (auto question = m_questions.begin(); question != m_questions.end();) {
            if (isRelayed || question->second.relay != run) {
                ++question;
                continue;
            }
            question->second.answer.set_exception(
                std::make_exception_ptr(Error(ErrorCode::Cancelled, "nobody trains it any more")));
            question = m_questions.erase(question);
        }
    }
    m_mirrors.setTrained(run, isRelayed);
}

void MachineLine::takeHello(const Frame& frame)
{
    const int protocol = frame.at("protocol").get<int>();
    if (protocol != kRemoteProtocol) {
        m_refusal = fmt::format(
            "Lockstep {} (protocol {}) is there and {} (protocol {}) here: install the same "
            "version "
            "on both machines",
            frame.value("version", "?"), protocol, versionText(), kRemoteProtocol);
        return;
    }
    m_wasConnected = true;
    tell({RemoteState::Kind::Connected, {}, 0.0, frame.at("run").get<std::string>()});
}

void MachineLine::takeRuns(const Frame& frame)
{
    auto names = frame.at("names").get<std::vector<std::string>>();
    for (const Frame& changed : frame.at("changed")) {
        Frame whole = changed;
        const auto name = changed.at("name").get<std::string>();
        if (!isRunName(name)) {
            continue;
        }
        if (!whole.contains("configuration")) { // which only this thread changes
            const auto known = m_known.find(name);
            whole["configuration"] = known == m_known.end() ? "" : known->second.configuration;
        }
        auto run = whole.get<RemoteRun>();
        m_mirrors.describe(run);
        const std::scoped_lock lock(m_mutex);
        m_known[name] = std::move(run);
    }
    {
        const std::scoped_lock lock(m_mutex);
        std::erase_if(names, [this](const std::string& name) { return !m_known.contains(name); });
        m_names = std::move(names);
    }
    if (m_listener.onRuns) {
        m_listener.onRuns(runs());
    }
}

void MachineLine::takeAnswer(const Frame& frame)
{
    const std::scoped_lock lock(m_mutex);
    const auto question = m_questions.find(frame.at("id").get<std::int64_t>());
    if (question == m_questions.end()) {
        return;
    }
    if (frame.contains("error")) {
        question->second.answer.set_exception(std::make_exception_ptr(Error(
            static_cast<ErrorCode>(frame.at("code").get<int>()),
            frame["error"].get<std::string>())));
    } else {
        question->second.answer.set_value(frame.at("value"));
    }
    m_questions.erase(question);
}

} // namespace lockstep
