// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/run_estimate.h"

#include "base/error.h"
#include "session/estimate/training_mark.h"

namespace lockstep {

RunEstimate estimateRun(
    const RunConfig& config, const MeasureCosts& measure, const std::filesystem::path& file)
{
    RunCostStore store(config, file);
    RunEstimate estimate;
    if (const auto ofRun = store.find(CostSource::Run)) {
        estimate.source = CostSource::Run;
        estimate.costs = *ofRun;
    } else if (const auto before = store.find(CostSource::Measured)) {
        estimate.costs = *before;
    } else if (TrainingMark::isAnyIn(file.parent_path())) {
        fail(
            ErrorCode::BadInput,
            "a run trains on this machine: it and what is to be measured would slow each other; "
            "ask again when it has ended");
    } else {
        estimate.costs = measure(config);
        store.keep(CostSource::Measured, estimate.costs);
    }
    estimate.steps = stepsOf(config, estimate.costs);
    estimate.seconds = secondsOf(config, estimate.costs);
    estimate.evaluations = evaluationsOf(config, estimate.steps);
    estimate.isEvaluated = estimate.evaluations == 0 || estimate.costs.evaluationSeconds >= 0.0;
    return estimate;
}

} // namespace lockstep
