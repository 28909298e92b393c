// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

// The loops of a Distorter over the bytes of a crop, compiled for several instruction sets; the
// best one is taken at run time. All of them give the same bits: sums are of whole numbers, and
// every product and sum of the map is rounded by itself.
namespace lockstep {

/// A window of an image, to be copied to rows of whole pixels (row, column, channel).
struct CropWindow
{
    const std::uint8_t* pixels = nullptr; ///< its first value, inside the image
    std::int64_t height = 0;
    std::int64_t width = 0;
    std::int64_t channels = 0;
    std::int64_t rowStride = 0;   ///< bytes from a row of the image to the next
    std::int64_t planeStride = 0; ///< bytes from a channel to the next; 0: pixels are interleaved
    bool isFlipped = false;       ///< left and right are to be exchanged
};

/// Writes height x width x channels bytes.
void gatherCrop(const CropWindow& window, std::uint8_t* destination);

/// Sums of x and x² over the values of one channel.
struct ChannelSums
{
    std::int64_t values = 0;
    std::int64_t squares = 0;
    bool operator==(const ChannelSums&) const = default;
};

/// Overwrites `sums`, one for each channel. `values` are whole pixels.
void sumChannels(std::span<const std::uint8_t> values, std::span<ChannelSums> sums);

/// (x - center) * scale + offset, with a center and an offset for each value of a row.
struct RowMap
{
    std::span<const float> centers;
    std::span<const float> offsets; ///< as many as centers
    float scale = 1.0F;
};

/// Maps `values`, which are whole rows, into `destination`, which has room for as many.
void mapRows(const RowMap& map, std::span<const std::uint8_t> values, float* destination);

} // namespace lockstep
