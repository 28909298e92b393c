// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/philox.h"
#include "network/layer_spec.h"

#include <cstdint>

namespace lockstep {

/// What the dropout of a pass is drawn from. The same for one tower of 2 x B rows as for two of B,
/// and after a resume.
struct DropoutDraw
{
    std::uint64_t seed = 0;
    std::int64_t step = 0;
    std::int64_t firstRow = 0; ///< of the pass, in the batch of all towers
};

/// The seed of a layer's own streams: the first two numbers of its stream of DropoutKeys, the first
/// one the low half.
std::uint64_t dropoutSeed(std::uint64_t seed, int layer);

/// The stream of a row of the pass. Value i of the row (by height, width, channel) is kept where
/// the i-th uniform number is less than keptBelow().
PhiloxStream dropoutStream(const DropoutDraw& draw, int layer, std::int64_t row);

/// Dropout::keep as the 24 bits of a uniform number are compared with it.
inline float keptBelow(const Dropout& dropout)
{
    return static_cast<float>(dropout.keep);
}

} // namespace lockstep
