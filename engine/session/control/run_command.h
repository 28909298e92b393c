// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace lockstep {

/// What can be asked of a run. All act at the end of the step that is being made, while the run is
/// paused at once.
namespace command {

/// Nothing but to say how it stands.
struct AskStatus
{
};
struct Pause
{
};
struct Resume
{
};
/// While a pause is wanted: makes one step and pauses again.
struct StepOnce
{
};
/// A checkpoint in the run's folder.
struct SaveCheckpoint
{
};
/// An evaluation of raw weights and moving averages.
struct Evaluate
{
};
/// Saves and ends.
struct Stop
{
};
/// Another learning rate from the next step on, which decays on from there. First the state is
/// saved and pinned; a failure to do so is noted, and the rate stays. run.toml and later
/// checkpoints hold the change, so that a resume goes on with it; one from an earlier checkpoint
/// does not, see configToContinue(). A number of 0 or more.
struct SetLearningRate
{
    double rate = 0.0;
};
/// Another number of updates in all; those that are made by then are the least.
struct SetSteps
{
    std::int64_t steps = 0;
};
/// Stops with the step that completes the epoch that is under way, or takes that back.
struct StopAfterEpoch
{
    bool isWanted = true;
};
/// A checkpoint in a file of its own, which the run neither counts nor deletes. A failure is noted
/// and the training goes on. Not over the control socket.
struct SaveCheckpointAs
{
    std::filesystem::path file;
};

} // namespace command

/// From menus, command line and control socket alike, see TrainingRun::send().
using RunCommand = std::variant<
    command::AskStatus, command::Pause, command::Resume, command::StepOnce, command::SaveCheckpoint,
    command::Evaluate, command::Stop, command::SetLearningRate, command::SetSteps,
    command::StopAfterEpoch, command::SaveCheckpointAs>;

/// As it goes over the control socket: "pause", "learning-rate 0.1", "stop-epoch off".
/// Error(BadInput) for SaveCheckpointAs, which does not.
std::string toLine(const RunCommand& command);
/// Error(BadInput) names what is wrong with the line.
RunCommand parseRunCommand(const std::string& line);
/// Names of those that go over the control socket: "status", "pause", …
std::vector<std::string> runCommandNames();

} // namespace lockstep
