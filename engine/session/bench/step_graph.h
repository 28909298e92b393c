// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/bench/bench.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// A pass of a layer or objective in the graph of a step, or what comes after the passes; over all
/// towers of the device.
struct GraphLine
{
    std::string part; ///< "conv1", "update"
    /// "forward", "backward", "sum of gradients", "sums" of towers; empty: after the passes.
    std::string pass;
    int nodes = 0;
    std::vector<std::string> kernels = {}; ///< that the driver can name, each once
    /// At least: every tensor that the pass reads or writes, once; what its kernels take in several
    /// passes is more, what lies in a cache costs less.
    double bytes = 0.0;
    double flop = 0.0;                            ///< of matrix products
    std::optional<double> floorMicroseconds = {}; ///< flop and bytes at the device's ceilings
};

/// What a captured step consists of.
struct StepGraphReport
{
    std::string model;
    std::string device;
    std::string precision;
    int towers = 0; ///< of the first device
    std::int64_t batchPerTower = 0;
    std::size_t nodes = 0;
    std::size_t longestChain = 0; ///< nodes that can only run one after the other
    std::vector<GraphLine> lines; ///< in the order in which they were captured
    double bytes = 0.0;
    double separateBytes = 0.0; ///< if every layer were a kernel of its own, see bytesMoved()
    std::optional<double> floorMicroseconds;
};

/// Nodes of the longest chain.
std::size_t longestChain(const std::vector<GraphNode>& nodes);

/// Captures a step on the first device of `config`, as runBench() would make it, and counts; no
/// step runs. `progress` is asked while algorithms are chosen. Error(BadInput) for a host device.
StepGraphReport reportStepGraph(
    const RunConfig& config, const BenchSettings& settings, const BenchProgress& progress = {});

} // namespace lockstep
