// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/store/run_store_reader.h"

#include <filesystem>
#include <iosfwd>

namespace lockstep {

/// Writes what the gradients of a run said, those of the current line, as CSV: a header, then of
/// every measured step a row for the whole network (its layer is empty) and one for each layer:
/// `step,layer,weight_norm,gradient_norm,update_to_weight,noise_scale,norm_tower_0,…,
/// cosine_tower_0,…`. Cosines are those of the tower's gradient and the averaged one; the noise
/// scale, in examples, is the whole network's. What is not defined, and a tower that a step did not
/// have, is left empty; the other numbers read back as the same double. Error(Io) if the stream
/// refuses; errors of the reader as they are.
void exportGradientCsv(const RunStoreReader& store, std::ostream& out);
/// The same into a file, which appears complete or not at all (AtomicFile). Error(Io) names it.
void exportGradientCsv(const RunStoreReader& store, const std::filesystem::path& file);

} // namespace lockstep
