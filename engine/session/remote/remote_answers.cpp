// SPDX-License-Identifier: Apache-2.0
#include "session/remote/remote_answers.h"

#include "base/error.h"

#include <chrono>
#include <exception>
#include <utility>

namespace lockstep {
namespace {

/// A network that nobody asks any more gives its memory back to the trainings.
constexpr std::chrono::seconds kKeptOpen(60);

bool isSlow(const std::string& ask)
{
    return ask == "facts" || ask == "start" || ask == "predict" || ask == "example";
}

} // namespace

RemoteAnswers::RemoteAnswers(std::filesystem::path runs, Send send)
    : m_runs(std::move(runs)), m_send(std::move(send))
{
    m_quick.thread = std::thread([this] { work(m_quick); });
    m_slow.thread = std::thread([this] { work(m_slow); });
}

RemoteAnswers::~RemoteAnswers()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isStopped = true;
    }
    for (Desk* desk : {&m_quick, &m_slow}) {
        desk->hasCome.notify_all();
        desk->thread.join();
    }
}

void RemoteAnswers::take(Frame question)
{
    Desk& desk = isSlow(question.at("ask").get<std::string>()) ? m_slow : m_quick;
    const std::scoped_lock lock(m_mutex);
    desk.waiting.push_back(std::move(question));
    desk.hasCome.notify_all();
}

void RemoteAnswers::work(Desk& desk)
{
    std::unique_lock lock(m_mutex);
    while (!m_isStopped) {
        if (desk.waiting.empty()) {
            const auto isWanted = [&] { return m_isStopped || !desk.waiting.empty(); };
            if (!desk.hasCome.wait_for(lock, kKeptOpen, isWanted) && &desk == &m_slow) {
                m_predictor.reset();
                m_dataset.reset();
            }
            continue;
        }
        const Frame question = std::move(desk.waiting.front());
        desk.waiting.pop_front();
        lock.unlock();
        try {
            answer(question);
        } catch (const Error&) {
            // The line is gone, and so is who asked: whoever reads from it hears of that, too.
        }
        lock.lock();
    }
}

void RemoteAnswers::answer(const Frame& question)
{
    Frame answer{{"t", "answer"}, {"id", question.at("id")}};
    const auto refuse = [&](ErrorCode code, const char* text) {
        answer["code"] = static_cast<int>(code);
        answer["error"] = text;
    };
    try {
        answer["value"] = valueFor(question);
    } catch (const Error& error) {
        refuse(error.code(), error.what());
    } catch (const std::exception& error) {
        refuse(ErrorCode::Internal, error.what());
    }
    m_send(answer);
}

Frame RemoteAnswers::valueFor(const Frame& question)
{
    const auto ask = question.at("ask").get<std::string>();
    if (ask == "facts") {
        return facts();
    }
    if (ask == "checkpoints") {
        return checkpoints(question);
    }
    if (ask == "event_files") {
        return eventFiles(question);
    }
    if (ask == "part") {
        return part(question);
    }
    if (ask == "control") {
        return control(question);
    }
    if (ask == "start") {
        return start(question);
    }
    if (ask == "predict") {
        return predict(question);
    }
    if (ask == "example") {
        return example(question);
    }
    fail(ErrorCode::BadInput, "the lockstep-train there knows nothing of '{}'", ask);
}

} // namespace lockstep
