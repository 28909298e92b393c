// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/run/initial_weights.h"
#include "session/run/training_run.h"
#include "storage/checkpoint/checkpoint_folder.h"
#include "storage/store/run_folder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Key of the fact that tells runs apart: 16 hexadecimal digits, also in every checkpoint.
inline constexpr const char* kRunIdentityFact = "run";

/// What a run begins with, found and checked before anything is written.
struct RunStart
{
    std::optional<RunFolder> folder;         ///< of a run that goes on; locked from now on
    std::optional<LoadedCheckpoint> state;   ///< to go on from
    std::optional<InitialWeights> initial;   ///< to fine-tune
    std::vector<NamedTensor> initialTensors; ///< the values of those that are taken
    std::string run;                         ///< identity of the run
    /// The branch whose past the new one takes over; none: no such branch is in the store.
    std::optional<std::int64_t> parent;
    std::vector<std::string> skipped; ///< damaged checkpoints, a line each
    std::string dataChange;           ///< how the data differ from those of the state; empty: not
    std::string testChange;           ///< likewise those to test on
    bool isSaved = false; ///< the state is one of the checkpoints in the run's own folder

    /// Goes on with the run that the state is of.
    [[nodiscard]] bool isContinued() const { return folder.has_value() && state.has_value(); }
};

/// Finds what `request` means. Error(BadInput) with the reason where a run can't go on from a
/// checkpoint: another model, data set, seed or run, classes of other names, or fewer steps than
/// were made. A run that goes on from no state begins with the initial weights of `config`, if
/// there are some; errors of those.
RunStart findRunStart(
    const RunRequest& request, const RunConfig& config, const TrainingSession& session,
    const Dataset& tests);

} // namespace lockstep
