// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/validation/run_estimate.h"

#include "engine/base.h"
#include "engine/network.h"

#include <algorithm>

namespace lockstep::ui {
namespace {

/// Of the processors' ceiling that training reaches, input and update included: between what the
/// three networks measured (tests/benchmarks/results).
constexpr double kReached = 0.6;

} // namespace

std::optional<RunEstimate> estimateRun(const RunConfig& config, const HostCeilings& ceilings)
{
    try {
        if (devicesFor(config.device, config.towers, {}).empty()
            || describeDevice(config.device).name != "cpu") {
            return std::nullopt;
        }
        const TowerShape shape = config.towerShape();
        const auto towers = static_cast<std::size_t>(shape.towers);
        const NetworkSpec network = makeNetwork(config.model);
        RunEstimate estimate;
        double flop = 0.0;
        for (const RunPhase& phase : phasePlan(config.trainedPhases())) {
            const NetworkSpec trained = networkOf(network, phase);
            const auto steps = static_cast<double>(phase.endStep - phase.firstStep);
            flop += steps * static_cast<double>(totalCost(trained).trainingFlop());
            const TowerMemory memory = planTowerMemory(config, trained);
            estimate.bytes = std::max(
                estimate.bytes,
                memory.parameterBytes
                    + towers * (memory.training.bytes + memory.training.gradientBytes));
        }
        const double rate = kReached
                            * (config.precision == "bfloat16" ? ceilings.bfloat16.maximum
                                                              : ceilings.float32.maximum);
        const auto batch = static_cast<double>(shape.towers * shape.batchPerTower);
        estimate.seconds = flop * batch / rate;
        return estimate;
    } catch (const Error&) { // said where it is set up
        return std::nullopt;
    }
}

} // namespace lockstep::ui
