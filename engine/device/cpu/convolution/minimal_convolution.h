// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/convolution/tiled_convolution.h"
#include "device/cpu/kernels/minimal_filtering.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::cpu {

/// A convolution with a small square filter by minimal filtering, see kernels/minimal_filtering.h.
/// Each thread has tiles of its own and works on them in blocks, so that what is known of them
/// stays in the caches.
class MinimalConvolution : public TiledConvolution
{
public:
    /// The points that take the least time, or none: sums take less, or it can't do the work.
    /// `sumsTimes`: how many times as long sums take here as they could.
    static std::optional<PointSet> bestPoints(const TiledWork& work, double sumsTimes);
    /// Whether it can do the work with these.
    static bool suits(const TiledWork& work, PointSet points);

    MinimalConvolution(const TiledWork& work, PointSet points);

    [[nodiscard]] std::string describe() const override;
    [[nodiscard]] std::size_t scratchBytes() const override { return m_scratchBytes; }
    void forward(
        const std::byte* src, const float* weights, const float* bias, std::byte* dst) override;
    void backwardData(const std::byte* diffDst, const float* weights, std::byte* diffSrc) override;
    void backwardWeights(
        const std::byte* src, const std::byte* diffDst, float* diffWeights,
        float* diffBias) override;

private:
    /// Values at all points of lines in groups of 16 channels, somewhere in the scratch memory.
    struct Values
    {
        std::size_t place = 0;
        std::int64_t lines = 0;
        std::int64_t groups = 0;

        [[nodiscard]] std::int64_t groupStride() const { return lines * kTileChannels; }
        /// From a point to the next: never a whole number of pages, whose first lines would share
        /// a few places of a cache.
        [[nodiscard]] std::int64_t pointStride() const
        {
            return groups * groupStride() + kTileChannels;
        }
    };
    /// A map that is convolved to another: src to dst, or the gradient of dst to that of src.
    struct Direction
    {
        bool isBack = false; ///< filters are turned round
        TiledMap from;
        TiledMap to;
        Extent before;  ///< from the first cell of `from` that a tile needs to the one it begins at
        TileGrid grid;  ///< of what is made
        Values filters; ///< [point][group of `to`][channel of `from`]
        // Of a thread; those of the others follow.
        Values sources; ///< [point][group of `from`][tile of a block]
        Values sums;    ///< [point][group of `to`, as many as are made at once][tile of a block]
        std::size_t threadBytes = 0;
    };
    /// What the gradient of the filters is made of. Of a thread; those of the others follow.
    struct Gradient
    {
        Values sources;   ///< [point][group of src][tile of a block]
        Values gradients; ///< [point][group of dst][tile of a block]
        Values sums;      ///< [point][group of dst][channel of src]
        std::size_t bias = 0;
        std::size_t threadBytes = 0;
    };
    /// What is convolved in a call.
    struct Tensors
    {
        const std::byte* from = nullptr;
        std::byte* to = nullptr;
        Finish finish;
    };

    [[nodiscard]] Direction directionOf(bool isBack);
    void planGradient();
    [[nodiscard]] Values values(std::size_t& end, std::int64_t lines, std::int64_t groups) const;
    [[nodiscard]] PointValues pointsOf(
        const Values& values, std::int64_t group, std::int64_t line) const;
    template<class Body>
    void forFilters(
        const Direction& direction, std::int64_t line, std::int64_t group, Body body) const;
    [[nodiscard]] const float* filledUp(const float* bias) const;
    void convolve(const Direction& direction, const float* weights, const Tensors& tensors) const;
    void convolveBlock(
        const Direction& direction, std::int64_t first, std::int64_t count,
        const Tensors& tensors) const;
    template<class Body>
    void forTiles(std::int64_t tiles, std::int64_t block, Body body) const;
    void gradientPoints(
        const Gradient& own, std::int64_t first, std::int64_t count, const std::byte* src,
        const std::byte* diffDst) const;
    void addProducts(const Gradient& own, std::int64_t count, bool isFirst) const;
    void addBias(const Gradient& own, std::int64_t count, bool isFirst) const;
    void addThreads(const PointValues& sums) const;
    [[nodiscard]] double* biasOf(const Gradient& gradient, std::int64_t thread) const;

    TiledWork m_work;
    PointSet m_set;
    std::int64_t m_points; ///< in each direction
    std::int64_t m_size;   ///< of the filter
    std::int64_t m_cells;  ///< of a tile that is made
    std::size_t m_scratchBytes = 0;
    std::size_t m_bias = 0; ///< filled up to whole groups
    std::size_t m_rest = 0; ///< from where on each of the three products has its own
    Direction m_forward;
    Direction m_back;
    Gradient m_gradient;
};

} // namespace lockstep::cpu
