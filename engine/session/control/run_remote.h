// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/control/run_state.h"

#include <fmt/format.h>

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
    /// The number of updates after which the epoch ends at which it stops; -1: it does not.
    std::int64_t stopStep = -1;
};

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
    // Taken in at once, acted on at the end of the step that is being made.
    void pause() const { static_cast<void>(ask("pause")); }
    void resume() const { static_cast<void>(ask("resume")); }
    void stepOnce() const { static_cast<void>(ask("step")); }
    void stop() const { static_cast<void>(ask("stop")); }
    void saveCheckpoint() const { static_cast<void>(ask("save")); }
    void evaluate() const { static_cast<void>(ask("evaluate")); }
    // See TrainingRun's requests.
    void setLearningRate(double rate) const
    {
        static_cast<void>(ask(fmt::format("learning-rate {}", rate)));
    }
    void setSteps(std::int64_t steps) const
    {
        static_cast<void>(ask(fmt::format("steps {}", steps)));
    }
    void stopAfterEpoch(bool isWanted) const
    {
        static_cast<void>(ask(isWanted ? "stop-epoch" : "stop-epoch off"));
    }

    /// One of the commands of ControlServer, with its value. The status that comes back may still
    /// be that before it.
    [[nodiscard]] RunStatus ask(const std::string& command) const;

    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return m_folder; }

private:
    std::filesystem::path m_folder;
};

} // namespace lockstep
