// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"

#include <cstddef>
#include <cstdint>

namespace lockstep::cpu {

/// Channels that are transformed together.
constexpr std::int64_t kTileChannels = 16;

/// Those of them that lie side by side at least.
constexpr std::int64_t kTileHalf = 8;

/// Cells of a tile that exist, rows [firstRow, endRow) and columns [firstColumn, endColumn); all
/// others are zeros. Each has 16 channels.
struct TileCells
{
    Element element = Element::Float32;
    std::byte* start = nullptr; ///< of the first cell that exists
    std::int64_t rowStride = 0; ///< in values
    std::int64_t cellStride = 0;
    std::int64_t firstRow = 0;
    std::int64_t endRow = 0;
    std::int64_t firstColumn = 0;
    std::int64_t endColumn = 0;
    std::int64_t secondHalf = kTileHalf;   ///< from channel 0 to channel 8, in values
    std::int64_t channels = kTileChannels; ///< that exist, 8 or 16; others are zeros
};

/// Values from channel 0 of a cell to another.
constexpr std::int64_t placeOfChannel(const TileCells& cells, std::int64_t channel)
{
    return channel / kTileHalf * cells.secondHalf + channel % kTileHalf;
}

} // namespace lockstep::cpu
