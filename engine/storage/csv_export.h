// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/run_store_reader.h"

#include <filesystem>
#include <iosfwd>

namespace lockstep {

/// Writes the current line of a run as CSV: a header and one row for every step,
/// `step,wall_seconds,examples,epoch,learning_rate,loss_mean,loss_last,loss_tower_0,…,
/// examples_per_second,seconds_per_batch`. Numbers are in the shortest form that reads back as the
/// same double ("nan" and "inf" for what is none); a tower that a step did not have is left empty.
/// Error(Io) if the stream refuses; errors of the reader as they are.
void exportCsv(const RunStoreReader& store, std::ostream& out);
/// The same into a file, which appears complete or not at all (AtomicFile). Error(Io) names it.
void exportCsv(const RunStoreReader& store, const std::filesystem::path& file);

} // namespace lockstep
