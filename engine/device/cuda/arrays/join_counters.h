// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// Channels of one block, at least, in kernels that share out channels: see channel_tiles.h.
constexpr std::int64_t kLeastTileWidth = 16;

/// What the blocks count in that make sums of `channels` channels in parts, so that the last one
/// joins them: zero before a kernel, and again after it.
[[nodiscard]] constexpr std::size_t joinCounterBytes(std::int64_t channels)
{
    return static_cast<std::size_t>((channels + kLeastTileWidth - 1) / kLeastTileWidth)
           * sizeof(std::uint32_t);
}

} // namespace lockstep::cuda
