// SPDX-License-Identifier: Apache-2.0
#include "session/control/control_server.h"

#include "base/error.h"
#include "session/control/mask_message.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

/// So long may a program take to say what it wants.
constexpr int kRequestMilliseconds = 1000;
constexpr int kPauseMilliseconds = 100;
constexpr int kSendSeconds = 2;

std::string answerLine(const nlohmann::json& json)
{
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string answerLine(const RunStatus& status)
{
    nlohmann::json json{
        {"state", toString(status.state)},
        {"step", status.step},
        {"steps", status.steps},
        {"process", status.process}};
    json["stop_step"] = status.stopStep < 0 ? nlohmann::json() : nlohmann::json(status.stopStep);
    return answerLine(json);
}

std::int64_t stepFrom(const std::string& text)
{
    std::int64_t step = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, step);
    if (error != std::errc() || stop != end) {
        fail(ErrorCode::BadInput, "{}needs a whole number, but '{}' is given", kMasksAfter, text);
    }
    return step;
}

std::string messageOf(const std::shared_ptr<const MaskRecord>& masks)
{
    return masks ? toMessage(*masks) : std::string();
}

} // namespace

ControlServer::ControlServer(
    const std::filesystem::path& runFolder, const Obey& obey, const Masks& masks)
    : ControlServer(runFolder, Answer([obey, masks](const std::string& line) {
                        return masks && line.starts_with(kMasksAfter)
                                   ? messageOf(masks(stepFrom(line.substr(kMasksAfter.size()))))
                                   : answerLine(obey(parseRunCommand(line)));
                    }))
{
}

ControlServer::ControlServer(const std::filesystem::path& runFolder, Answer answer)
    : m_answer(std::move(answer)), m_listener(runFolder)
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        fail(
            ErrorCode::Io, "{}: no pipe for its control socket{}", runFolder.string(), errnoText());
    }
    m_stopReader = Descriptor(ends[0]);
    m_stopWriter = Descriptor(ends[1]);
    m_thread = std::thread([this] { work(); });
}

ControlServer::~ControlServer()
{
    m_stopWriter = Descriptor();
    m_thread.join();
}

void ControlServer::work()
{
    while (true) {
        std::array<pollfd, 2> wanted{
            pollfd{m_listener.get(), POLLIN, 0}, pollfd{m_stopReader.get(), POLLIN, 0}};
        const int ready = ::poll(wanted.data(), wanted.size(), -1);
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        if (ready < 0 || wanted[1].revents != 0) {
            return;
        }
        const Descriptor connection(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (connection.isOpen()) {
            serve(connection);
        } else {
            ::poll(&wanted[1], 1, kPauseMilliseconds); // too many files are open just now
        }
    }
}

void ControlServer::serve(const Descriptor& connection) const
{
    // One that takes no answer must not keep the next waiting.
    const timeval patience{kSendSeconds, 0};
    ::setsockopt(connection.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    if (!isPeerTrusted(connection)) {
        sendBytes(connection, answerLine({{"error", "this run belongs to another user"}}));
        return;
    }
    sendBytes(connection, answer(receiveLine(connection, kRequestMilliseconds)));
}

std::string ControlServer::answer(const std::string& line) const
{
    try {
        return m_answer(line);
    } catch (const Error& error) {
        return answerLine(
            {{"error", error.what()}, {"is_bad_input", error.code() == ErrorCode::BadInput}});
    } catch (const std::exception& error) {
        return answerLine({{"error", error.what()}, {"is_bad_input", false}});
    }
}

} // namespace lockstep
