// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/run_config.h"

#include <cstdint>
#include <functional>
#include <string>

namespace lockstep {

/// What a benchmark of the complete step measured.
struct BenchResult
{
    std::string model;
    double examplesPerSecond = 0.0;   ///< global batch / median step
    double millisecondsPerStep = 0.0; ///< median
    double millisecondsMinimum = 0.0;
    double milliseconds95 = 0.0; ///< 95th percentile
    std::int64_t steps = 0;      ///< timed
    int towers = 0;
    int threadsPerTower = 0;
    std::int64_t batchPerTower = 0;
    std::string precision;
    std::string device;
    double gigaflopsPerSecond = 0.0; ///< of the network's matrix work, padding taps counted
    double inputShare = 0.0;         ///< share of the time in which towers waited for a batch
};

/// Times the complete step on the synthetic data set: pipeline with distortions, all towers, check,
/// averaging, update, moving average. 3 warm-up steps, then at least 5 s, at most 15 s in all
/// (where three steps alone take longer, fewer steps). The data set of `config` is not used.
/// `progress` is told the share that is done and returns whether to go on (else Error(Cancelled)).
/// Errors as TrainingSession.
BenchResult runBench(const RunConfig& config, const std::function<bool(double)>& progress = {});

} // namespace lockstep
