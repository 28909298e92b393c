// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/mask_record.h"
#include "session/control/control_socket.h"
#include "session/control/run_command.h"
#include "session/control/run_state.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace lockstep {

/// Speaks to the process that trains the run in a folder, over its control socket (see
/// ControlServer): for windows and commands that attach to a run. Every call connects anew, waits
/// for the answer, five seconds at most, and throws Error(BadInput) if nobody trains the run or it
/// can't do what is asked, Error(Io) if the process does not answer; both name the folder.
/// Thread-safe.
class RunRemote
{
public:
    explicit RunRemote(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    [[nodiscard]] RunStatus status() const { return ask("status"); }
    /// Taken in at once. The status that comes back may still be that before it.
    RunStatus send(const RunCommand& command) { return ask(toLine(command)); }
    /// A command as a line, see parseRunCommand(): the process that trains says what is wrong with
    /// it.
    [[nodiscard]] RunStatus ask(const std::string& line) const;
    /// The masks that the towers predicted in a step after this one; none if there are none yet.
    /// The run makes some, about twice a second, as long as it is asked every few seconds.
    [[nodiscard]] std::shared_ptr<const MaskRecord> masks(std::int64_t after) const;
    /// The answer as it comes, for who passes it on.
    [[nodiscard]] std::string bytesFor(const std::string& line) const;

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return m_folder; }

private:
    [[nodiscard]] Descriptor connect() const;
    [[nodiscard]] RunStatus understood(const std::string& answer) const;

    std::filesystem::path m_folder;
};

} // namespace lockstep
