// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"

#include <string>

namespace lockstep {

/// By which figure of the test set the best checkpoints of a run are chosen.
struct BestCheckpointRule
{
    enum class Figure { Accuracy, TopFive, Loss, AveragePrecision };

    WeightsKind weights = WeightsKind::Average;
    Figure figure = Figure::Accuracy;

    /// More is better. Not a number for an evaluation of the other kind of weights, and for a
    /// figure that it does not have: top-5, average precision.
    [[nodiscard]] double scoreOf(const EvaluationRecord& evaluation) const;
};

/// "accuracy", "top5", "loss" or "average_precision" (of moving averages), or these with "raw_"
/// before them. Error(BadInput) for any other name.
BestCheckpointRule bestCheckpointByName(const std::string& name);

} // namespace lockstep
