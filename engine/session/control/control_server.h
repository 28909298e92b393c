// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/mask_record.h"
#include "session/control/control_socket.h"
#include "session/control/run_command.h"
#include "session/control/run_state.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace lockstep {

/// Lets other processes of the same user pause, save and stop the run in a folder, while this
/// object lives. A connection carries one line, a command (see parseRunCommand()), and one line
/// back, a JSON object:
/// `{"state": "running", "step": 12, "steps": 1000, "process": 4711, "stop_step": null}`, or
/// `{"error": "…", "is_bad_input": true}`. Or `masks STEP`, and back comes such an error or, until
/// the connection is closed, the message of the masks of a later step, see toMessage(); nothing if
/// there are none yet. Anybody else is refused.
class ControlServer
{
public:
    /// Does what is asked of the run and says how it stands then. Called on a thread of the server;
    /// an exception's text goes back to the one who asked.
    using Obey = std::function<RunStatus(const RunCommand& command)>;
    /// The masks of a step after this one; none if there are none yet. Called like Obey.
    using Masks = std::function<std::shared_ptr<const MaskRecord>(std::int64_t after)>;
    /// What goes back for a line, byte for byte; the same thread, an exception likewise.
    using Answer = std::function<std::string(const std::string& line)>;

    /// The run must be locked by this process. Error(Io) if no socket can be made;
    /// std::system_error if no thread can be started.
    ControlServer(
        const std::filesystem::path& runFolder, const Obey& obey, const Masks& masks = {});
    ControlServer(const std::filesystem::path& runFolder, Answer answer);
    /// Takes the socket away.
    ~ControlServer();
    ControlServer(const ControlServer&) = delete;
    ControlServer& operator=(const ControlServer&) = delete;

private:
    void work();
    void serve(const Descriptor& connection) const;
    [[nodiscard]] std::string answer(const std::string& line) const;

    Answer m_answer;
    ControlListener m_listener;
    Descriptor m_stopReader;
    Descriptor m_stopWriter;
    std::thread m_thread;
};

} // namespace lockstep
