// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "session/bench/bench.h"

#include <memory>

namespace lockstep {

/// One training to be timed.
struct BenchTrial
{
    const RunConfig& config;
    const BenchSettings& settings;
    const Dataset& examples;
    BenchProgress progress;                              ///< may be empty
    std::optional<HostCeilings> ceilings = std::nullopt; ///< empty: measured, on a host device
};

/// Times it, as runBench() says.
BenchResult runTrial(const BenchTrial& trial);

/// The configuration with the data set that openBenchExamples() makes, with masks for a network
/// that learns from them. Error(BadInput) for a model that can't be used.
RunConfig withBenchExamples(RunConfig config);

/// What is trained on: generated, of the size that the model needs, as many examples as the caches
/// of the device don't hold.
std::unique_ptr<Dataset> openBenchExamples(const RunConfig& config);

} // namespace lockstep
