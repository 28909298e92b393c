// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/network_spec.h"

#include <cstdint>
#include <vector>

namespace lockstep {

/// Arithmetic and memory of one layer for one example. A multiply-add is 2 FLOP; taps that fall on
/// padding count; element-wise work (bias, activation, pooling, normalisation) does not.
struct LayerCost
{
    std::int64_t fpropFlop = 0;         ///< forward
    std::int64_t dgradFlop = 0;         ///< gradient of src; 0 where no gradient passes
    std::int64_t wgradFlop = 0;         ///< gradient of the weights; 0 where they are not trained
    std::int64_t parameterElements = 0; ///< statistics are not counted
    std::int64_t activationBytes = 0;   ///< of what comes out, float32
    std::int64_t parameterBytes = 0;    ///< float32

    [[nodiscard]] std::int64_t trainingFlop() const { return fpropFlop + dgradFlop + wgradFlop; }
    LayerCost& operator+=(const LayerCost& other);
};

/// Cost of every layer, in the order of the layers.
std::vector<LayerCost> layerCosts(const NetworkSpec& network);
/// Their sum.
LayerCost totalCost(const NetworkSpec& network);

} // namespace lockstep
