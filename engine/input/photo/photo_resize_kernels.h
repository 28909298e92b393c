// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

// The loops of a PhotoResizer, compiled for several instruction sets; the best one is taken at run
// time. All of them give the same bits: every product and sum is rounded by itself.
namespace lockstep {

/// A row of bytes and its share in a new one.
struct SharedRow
{
    const std::uint8_t* values = nullptr;
    float share = 0.0F;
};

/// The pixels that each new one of a row or column is made of, and their shares.
struct ResizeTaps
{
    std::span<const std::int32_t> ends; ///< of the taps of each new pixel
    std::span<const std::int32_t> places;
    std::span<const float> shares;
};

/// `line` gets the sums of all rows, each times its share, in their order.
void mixRows(std::span<const SharedRow> rows, std::span<float> line);

/// `row` gets taps.ends.size() pixels of three channels, each the sum of those of `line`, times
/// their shares, in their order. Behind the last pixel of `line` one more value must be readable.
void mixColumns(const ResizeTaps& taps, const float* line, std::span<float> row);

} // namespace lockstep
