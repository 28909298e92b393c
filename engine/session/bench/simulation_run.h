// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/gradient_buckets.h"
#include "network/network_spec.h"
#include "session/bench/bench.h"
#include "session/bench/bench_profile.h"
#include "session/bench/scaling_simulation.h"
#include "session/config/run_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

struct SimulationSettings
{
    double seconds = 4.0; ///< of timed steps
    SimulatedCluster cluster;
    /// In place of the cluster's; empty: the chain of host devices, the ring of accelerators.
    std::optional<ExchangeMethod> method;
    std::vector<int> towers; ///< none: 1, 2, 4, … 1024
};

/// How a training would scale on machines like this one.
struct SimulationReport
{
    std::string model;
    std::string device;
    std::string precision;
    std::int64_t batchPerTower = 0;
    int threadsPerTower = 0; ///< 0: it is an accelerator
    TowerStep step;          ///< as measured here
    SimulatedCluster cluster;
    std::vector<SimulatedLine> lines;
};

/// What one tower that was alone did in `measured`. The times of the nodes are scaled to what both
/// passes took; where the device does not tell phases, the passes are all but the input.
TowerStep towerStepOf(
    const NetworkSpec& network, const std::vector<GradientBucket>& buckets,
    const ProfiledStep& measured);

/// Trains one tower here for some seconds and simulates many. Model, device, precision and batch
/// are those of `config`. On a host device the tower has as many threads as the towers of a rank
/// leave to it, and every layer is timed; of an accelerator, that does not tell, the step is split
/// up by the layers' matrix work. Errors as runBench() and simulateScaling().
SimulationReport runSimulation(
    const RunConfig& config, const SimulationSettings& settings,
    const BenchProgress& progress = {});

} // namespace lockstep
