// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/bench/scaling.h"
#include "session/config/run_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// What stays the same for every number of towers.
enum class ScalingFix {
    BatchPerTower, ///< each tower has as much to do: more towers, larger steps
    GlobalBatch,   ///< the step has as much to do: more towers, less for each
};

/// "per-tower" or "global", and back: Error(BadInput) names what there is.
std::string_view toString(ScalingFix fix);
ScalingFix scalingFixByName(std::string_view name);

struct ScalingSettings
{
    ScalingPlan plan; ///< no towers: usefulTowers()
    ScalingFix fix = ScalingFix::BatchPerTower;
};

/// How a training scales on this machine.
struct ScalingReport
{
    std::string model;
    std::string device;
    std::string precision;
    ScalingFix fix = ScalingFix::BatchPerTower;
    std::int64_t batch = 0;  ///< of one tower or of all, as fixed
    int threadsPerTower = 0; ///< on a host device
    int processors = 0;      ///< of a host device; 0: it is an accelerator
    double seconds = 0.0;    ///< of steps for each number of towers
    std::vector<ScalingLine> lines;
    std::vector<int> leftOut; ///< numbers of towers that can't share the global batch evenly
    std::optional<double> serialShare; ///< see serialShare()
};

/// The training of `config` as it is measured: on generated data, for itself, and with as many
/// threads a tower as `towers` of them leave to each on a host device, unless a number is given.
/// Error(BadInput) if it can't be used.
RunConfig measuredConfig(const RunConfig& config, int towers);

/// 1, 2, … as many as there are processors (eight at most) or GPUs on the device that is named, but
/// at least 2. Error(BadInput) if it is missing.
std::vector<int> usefulTowers(const std::string& device);

/// Trains on the generated data with each number of towers, as runBench() does. Model, device,
/// precision and batch are those of `config`; its towers and data set are not used. On a host
/// device every tower gets as many threads as the largest number of them leaves to each, so that
/// one tower is measured with what it has among many, unless `config` names a number. The global
/// batch that is kept is that of `config`, or else its batch per tower times the most towers.
/// Numbers of towers that it can't be split evenly among are left out. Errors as measureScaling()
/// and TrainingSession; Error(BadInput) if the global batch fits none of several towers.
ScalingReport runScaling(
    const RunConfig& config, const ScalingSettings& settings, const ScalingWatcher& watcher = {});

} // namespace lockstep
