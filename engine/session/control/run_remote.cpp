// SPDX-License-Identifier: Apache-2.0
#include "session/control/run_remote.h"

#include "base/error.h"
#include "session/control/mask_message.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_lock.h"

#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

constexpr int kAnswerMilliseconds = 5000;
constexpr std::size_t kMostAnswerBytes = std::size_t{32} << 20U;

RunStatus statusOf(const std::string& answer)
{
    const nlohmann::json json = nlohmann::json::parse(answer);
    if (const auto error = json.find("error"); error != json.end()) {
        const bool isBadInput = json.value("is_bad_input", false);
        fail(isBadInput ? ErrorCode::BadInput : ErrorCode::Io, "{}", error->get<std::string>());
    }
    const auto state = runStateByName(json.at("state").get<std::string>());
    const nlohmann::json& stopStep = json.at("stop_step");
    return {
        state.value_or(RunState::Running), json.at("step").get<std::int64_t>(),
        json.at("steps").get<std::int64_t>(), json.at("process").get<int>(),
        stopStep.is_null() ? -1 : stopStep.get<std::int64_t>()};
}

} // namespace

Descriptor RunRemote::connect() const
{
    Descriptor connection = connectForControl(m_folder);
    const std::string reason = connection.isOpen() ? std::string() : errnoText();
    if (!connection.isOpen()) {
        if (!RunFolder::isRun(m_folder)) {
            fail(ErrorCode::BadInput, "{}: not a run (it has no run.toml)", m_folder.string());
        }
        const std::optional<int> writer = RunLock::writerOf(m_folder);
        if (!writer) {
            fail(
                ErrorCode::BadInput, "{}: no process is training this run at the moment",
                m_folder.string());
        }
        fail(
            ErrorCode::Io, "{}: process {}, which trains this run, can't be reached{}",
            m_folder.string(), *writer, reason);
    }
    return connection;
}

std::string RunRemote::bytesFor(const std::string& line) const
{
    const Descriptor connection = connect();
    sendBytes(connection, line + '\n');
    return receiveBytes(connection, kAnswerMilliseconds, kMostAnswerBytes);
}

RunStatus RunRemote::ask(const std::string& line) const
{
    const Descriptor connection = connect();
    sendBytes(connection, line + '\n');
    return understood(receiveLine(connection, kAnswerMilliseconds));
}

std::shared_ptr<const MaskRecord> RunRemote::masks(std::int64_t after) const
{
    const std::string answer = bytesFor(std::string(kMasksAfter) + std::to_string(after));
    if (answer.starts_with('{')) {
        static_cast<void>(understood(answer)); // an error
    }
    return answer.empty() ? nullptr : std::make_shared<const MaskRecord>(maskRecordFrom(answer));
}

/// What it says of the run; its error is thrown.
RunStatus RunRemote::understood(const std::string& answer) const
{
    try {
        return statusOf(answer);
    } catch (const nlohmann::json::exception&) {
        fail(
            ErrorCode::Io, "{}: the process that trains this run does not answer",
            m_folder.string());
    } catch (const Error& error) {
        fail(error.code(), "{}: {}", m_folder.string(), error.what());
    }
}

} // namespace lockstep
