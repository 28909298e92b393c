// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/store/run_store_reader.h"

#include <filesystem>

namespace lockstep {

/// Writes the lineage of a run as one event file into `folder`, for TensorBoard: the scalars
/// of every step and evaluation, from the run store, and what else the run's own event files in
/// `events` hold: histograms, pictures, sparsity. Returns the file. The time of a step is the run's
/// beginning plus its training time, pauses left out.
/// Error(BadInput) if `folder` has an event file already, Error(Io) if it can't be written; errors
/// of the readers. On an error no file stays.
std::filesystem::path exportEvents(
    const RunStoreReader& store, const std::filesystem::path& events,
    const std::filesystem::path& folder);

} // namespace lockstep
