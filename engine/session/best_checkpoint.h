// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"

#include <string>

namespace lockstep {

/// By which figure of the test set the best checkpoints of a run are chosen.
struct BestCheckpointRule
{
    WeightsKind weights = WeightsKind::Average;
    bool isByLoss = false; ///< false: by accuracy

    /// More is better. Not a number for an evaluation of the other kind of weights.
    [[nodiscard]] double scoreOf(const EvaluationRecord& evaluation) const;
};

/// "accuracy", "loss" (of moving averages), "raw_accuracy" or "raw_loss". Error(BadInput) for any
/// other name.
BestCheckpointRule bestCheckpointByName(const std::string& name);

} // namespace lockstep
