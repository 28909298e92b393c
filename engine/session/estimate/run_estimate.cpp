// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/run_estimate.h"

#include "base/error.h"
#include "session/estimate/training_mark.h"

#include <algorithm>

namespace lockstep {

RunEstimate estimateRun(
    const RunConfig& config, const MeasureCosts& measure, std::int64_t done,
    const std::filesystem::path& file)
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
    RunConfig counted = config;
    counted.setSteps(stepsOf(config, estimate.costs));
    estimate.steps = std::max<std::int64_t>(0, counted.steps - done);
    estimate.seconds = secondsOf(counted, estimate.costs, done);
    estimate.evaluations = evaluationsOf(counted, done, counted.steps);
    estimate.isEvaluated = estimate.evaluations == 0 || estimate.costs.evaluationSeconds >= 0.0;
    return estimate;
}

} // namespace lockstep
