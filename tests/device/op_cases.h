// SPDX-License-Identifier: Apache-2.0
// What tests of single ops share: shapes, and networks of one op.
#pragma once

#include "support/random_network.h"

#include <cstdint>
#include <vector>

namespace lockstep::test {

/// Channels that fill blocks of 8 and 16 and that don't.
inline const std::vector<std::int64_t> kOpChannels{1, 3, 8, 16, 17, 32, 48};

inline Shape randomShape(Random& random, int largestHeight, int largestWidth)
{
    return {
        random.integer(1, largestHeight), random.integer(1, largestWidth),
        random.oneOf(kOpChannels)};
}

/// input - 1 x 1 convolution - ops - logits; the convolution gives the ops channels in blocks, and
/// its weights show the gradient of their source.
template<class... Ops>
NetworkSpec behindConvolution(const Shape& src, const Ops&... ops)
{
    return chain({src.height, src.width, 3}, {convolution(src.channels, {1, 1}), ops...}, 4, true);
}

} // namespace lockstep::test
