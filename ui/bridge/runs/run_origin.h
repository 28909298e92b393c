// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/run.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace lockstep::ui {

/// What a checkpoint file says of itself, from its header alone.
struct CheckpointSummary
{
    std::int64_t step = 0;
    std::string model;
    RunConfig config; ///< of the training that wrote it
    /// The run in whose folder the file lies, if it does.
    std::optional<std::filesystem::path> run;
};

/// Errors of readSafetensorsHeader(); Error(Data) if it is no checkpoint.
CheckpointSummary readCheckpointSummary(const std::filesystem::path& file);

/// A run set up to go on, from its newest good checkpoint with the settings that it had, or from
/// `checkpoint` with the learning rate that it had there. Errors of configOfRun() and
/// readCheckpointSummary().
RunRequest requestToContinue(
    const std::filesystem::path& run,
    const std::optional<std::filesystem::path>& checkpoint = std::nullopt);

/// A new run that starts from the weights of a checkpoint, with the settings that it was made with
/// and as many steps more. Errors of readCheckpointSummary().
RunRequest requestFromCheckpoint(const std::filesystem::path& file);

/// A new run at step 0 that takes over the weights of a checkpoint, or of the newest one of a run,
/// and nothing else, with the settings that it was made with. Errors of readCheckpointSummary() and
/// configOfRun().
RunRequest requestToFineTune(const std::filesystem::path& fileOrRun);

/// What a person is offered once a run has ended: the run again, in a new folder; a run that was
/// gone on with and is not finished goes on.
RunRequest requestAfter(RunRequest request, bool isFinished);

} // namespace lockstep::ui
