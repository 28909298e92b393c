// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/run_state.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace lockstep {

/// How a run stands that another process, or another part of this one, trains.
struct RunStatus
{
    RunState state = RunState::Running;
    std::int64_t step = 0;  ///< updates done
    std::int64_t steps = 0; ///< updates wanted
    int process = 0;
};

/// Speaks to the process that trains the run in a folder, over its control socket (see
/// ControlServer): for windows and commands that attach to a run. Every call connects anew, waits
/// for the answer, five seconds at most, and throws Error(BadInput) if nobody trains the run,
/// Error(Io) if the process does not answer; both name the folder. Thread-safe.
class RunRemote
{
public:
    explicit RunRemote(std::filesystem::path folder) : m_folder(std::move(folder)) {}

    [[nodiscard]] RunStatus status() const { return ask("status"); }
    // Taken in at once, acted on at the end of the step that is being made.
    void pause() const { static_cast<void>(ask("pause")); }
    void resume() const { static_cast<void>(ask("resume")); }
    void stepOnce() const { static_cast<void>(ask("step")); }
    void stop() const { static_cast<void>(ask("stop")); }
    void saveCheckpoint() const { static_cast<void>(ask("save")); }
    void evaluate() const { static_cast<void>(ask("evaluate")); }

    /// One of the commands by its name: "status", "pause", "resume", "step", "stop", "save",
    /// "evaluate". The status that comes back may still be that before it.
    [[nodiscard]] RunStatus ask(const std::string& name) const;

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return m_folder; }

private:
    std::filesystem::path m_folder;
};

} // namespace lockstep
