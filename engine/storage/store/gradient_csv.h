// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/store/csv_output.h"
#include "storage/store/run_store_reader.h"

namespace lockstep {

/// What the gradients of a run said, those of the lineage, as CSV, read from `store`, which
/// outlives it: a header, then of every measured step a row for the whole network (its layer is
/// empty) and one for each layer:
/// `step,layer,weight_norm,gradient_norm,update_to_weight,noise_scale,norm_tower_0,…,
/// cosine_tower_0,…`. Cosines are those of the tower's gradient and the averaged one; the noise
/// scale, in examples, is the whole network's. What is not defined, and a tower that a step did not
/// have, is left empty; the other numbers read back as the same double. Errors of the reader as
/// they are.
CsvText gradientsAsCsv(const RunStoreReader& store);

} // namespace lockstep
