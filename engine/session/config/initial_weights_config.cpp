// SPDX-License-Identifier: Apache-2.0
#include "session/config/initial_weights_config.h"

#include "base/error.h"
#include "metrics/evaluation_record.h"

namespace lockstep {

void InitialWeightsConfig::validate() const
{
    if (weights != "auto" && weights != toString(WeightsKind::Average)
        && weights != toString(WeightsKind::Raw)) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.weights is '{}', but must be auto, average or raw", weights);
    }
    if (!isGiven() && !freshLayers.empty()) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.fresh_layers names layers, but nothing says whose weights the others "
            "take: give initial_weights.checkpoint (--weights-from)");
    }
}

} // namespace lockstep
