// SPDX-License-Identifier: Apache-2.0
#include "session/control/control_server.h"

#include "base/error.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <map>
#include <type_traits>
#include <utility>

namespace lockstep {
namespace {

/// So long may a program take to say what it wants.
constexpr int kPatienceMilliseconds = 1000;
constexpr int kPauseMilliseconds = 100;

std::string toLine(const nlohmann::json& json)
{
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template<class Number>
Number numberIn(const std::string& command, const std::string& text)
{
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc() || stop != end) {
        fail(
            ErrorCode::BadInput, "{} needs {}, but '{}' is given", command,
            std::is_floating_point_v<Number> ? "a number" : "a whole number", text);
    }
    return number;
}

bool isOn(const std::string& command, const std::string& text)
{
    if (!text.empty() && text != "off") {
        fail(ErrorCode::BadInput, "{} takes 'off' or nothing, but '{}' is given", command, text);
    }
    return text.empty();
}

} // namespace

ControlServer::ControlServer(const std::filesystem::path& runFolder, ControlHandlers handlers)
    : m_handlers(std::move(handlers)), m_listener(runFolder)
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
    if (!isPeerTrusted(connection)) {
        sendLine(connection, toLine({{"error", "this run belongs to another user"}}));
        return;
    }
    sendLine(connection, answer(receiveLine(connection, kPatienceMilliseconds)));
}

/// Does what a command with its value says; false if there is no such command.
bool ControlServer::obey(const std::string& command, const std::string& value) const
{
    using Command = std::function<void()>;
    const std::map<std::string, Command> plain{
        {"status", [] {}},
        {"pause", m_handlers.pause},
        {"resume", m_handlers.resume},
        {"step", m_handlers.stepOnce},
        {"stop", m_handlers.stop},
        {"save", m_handlers.saveCheckpoint},
        {"evaluate", m_handlers.evaluate}};
    const std::map<std::string, Command> valued{
        {"learning-rate", [&] { m_handlers.setLearningRate(numberIn<double>(command, value)); }},
        {"steps", [&] { m_handlers.setSteps(numberIn<std::int64_t>(command, value)); }},
        {"stop-epoch", [&] { m_handlers.stopAfterEpoch(isOn(command, value)); }}};
    const auto found = plain.find(command);
    if (found != plain.end() && !value.empty()) {
        fail(ErrorCode::BadInput, "{} takes no value, but '{}' is given", command, value);
    }
    const auto foundValued = valued.find(command);
    if (found == plain.end() && foundValued == valued.end()) {
        return false;
    }
    (found != plain.end() ? found : foundValued)->second();
    return true;
}

std::string ControlServer::answer(const std::string& line) const
{
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string command = line.substr(0, blank);
    try {
        if (!obey(command, line.substr(std::min(blank + 1, line.size())))) {
            fail(ErrorCode::BadInput, "there is no command '{}'", command);
        }
        const RunStatus status = m_handlers.status();
        nlohmann::json json{
            {"state", toString(status.state)},
            {"step", status.step},
            {"steps", status.steps},
            {"process", status.process}};
        json["stop_step"] =
            status.stopStep < 0 ? nlohmann::json() : nlohmann::json(status.stopStep);
        return toLine(json);
    } catch (const Error& error) {
        return toLine(
            {{"error", error.what()}, {"is_bad_input", error.code() == ErrorCode::BadInput}});
    } catch (const std::exception& error) {
        return toLine({{"error", error.what()}, {"is_bad_input", false}});
    }
}

} // namespace lockstep
