// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/estimate/run_costs.h"

#include <functional>

namespace lockstep {

/// What a run of a configuration is expected to take on this machine.
struct RunEstimate
{
    std::int64_t steps = 0; ///< that it makes, without those that were made before
    std::int64_t evaluations = 0;
    double seconds = 0.0;     ///< from its start to its end
    bool isEvaluated = false; ///< that counts the evaluations; else it is the least
    RunCosts costs;
    CostSource source = CostSource::Measured;
};

/// See measureRunCosts(); Error(Cancelled) passes.
using MeasureCosts = std::function<RunCosts(const RunConfig&)>;

/// From what an earlier run or measurement cost, else from a measurement, which is kept. Errors as
/// of stepsOf() and the measurement, after which nothing is kept; Error(BadInput) instead of
/// measuring while a run trains on this machine. `done`: updates that a run which goes on has made.
RunEstimate estimateRun(
    const RunConfig& config, const MeasureCosts& measure, std::int64_t done = 0,
    const std::filesystem::path& file = RunCostStore::defaultFile());

} // namespace lockstep
