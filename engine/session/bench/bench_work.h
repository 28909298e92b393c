// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/precision.h"
#include "network/network_spec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

constexpr double kMilliseconds = 1e3; ///< in a second
constexpr double kGiga = 1e9;

/// What one pass of a layer or objective does at least, for one example.
struct PassWork
{
    std::int64_t flop = 0; ///< of matrix products, see LayerCost
    std::int64_t values =
        0; ///< read and written: what it needs of src, dst and gradients, each once
};

/// What the backward pass of an op touches beside the gradients of its dst and srcs.
struct OpTraffic
{
    bool hasParameters = false; ///< weights' gradient reads src and the gradient of dst again
    bool needsSrc = false;      ///< backward reads src
    bool needsDst = false;      ///< backward reads dst, or an index in its place
};
OpTraffic trafficOf(const LayerSpec& spec);

/// Both passes. Without a backward pass that one has no work.
struct NodeWork
{
    std::string name;
    PassWork forward;
    PassWork backward;
};

/// The layers, then the objectives of a network, where every one is a kernel of its own.
std::vector<NodeWork> nodeWork(const NetworkSpec& network);

/// Of one value that a pass reads or writes.
double valueBytes(Precision precision);

/// Bytes that the update moves: reads the gradient, reads and writes weights and moving average,
/// and writes the rounded weights where there are some.
double updateBytes(const NetworkSpec& network, Precision precision);

} // namespace lockstep
