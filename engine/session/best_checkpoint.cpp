// SPDX-License-Identifier: Apache-2.0
#include "session/best_checkpoint.h"

#include "base/error.h"

#include <limits>

namespace lockstep {

double BestCheckpointRule::scoreOf(const EvaluationRecord& evaluation) const
{
    if (evaluation.weights != weights) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return isByLoss ? -evaluation.loss : evaluation.accuracy;
}

BestCheckpointRule bestCheckpointByName(const std::string& name)
{
    for (const WeightsKind weights : {WeightsKind::Average, WeightsKind::Raw}) {
        const std::string prefix = weights == WeightsKind::Raw ? "raw_" : "";
        for (const bool isByLoss : {false, true}) {
            if (name == prefix + (isByLoss ? "loss" : "accuracy")) {
                return {weights, isByLoss};
            }
        }
    }
    fail(
        ErrorCode::BadInput,
        "checkpoint.best_by is '{}', but must be accuracy, loss, raw_accuracy or raw_loss", name);
}

} // namespace lockstep
