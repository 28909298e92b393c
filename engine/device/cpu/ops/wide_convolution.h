// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/kernels/tile_spectrum.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lockstep::cpu {

/// A convolution with a wide filter by Fourier transforms of tiles: each frequency of a tile of dst
/// is a sum over the channels of src of products, a fiftieth of the multiplications of a 15 x 15
/// filter. Works on float32 whatever the tensors are in; agrees with the sums to float32's
/// rounding. Stride 1, no bias, channels in blocks. Filters of at most kTile / 2 rows and columns.
class WideConvolution
{
public:
    /// What is planned; src and dst as in OpPlan.
    struct Work
    {
        Conv2d conv;
        WindowDims window;
        ChannelLayout src;
        ChannelLayout dst;
        Shape srcShape;
        Shape dstShape;
        int threads = 1;
    };

    /// Whether it can do the work, and does it faster than the sums.
    static bool suits(
        const Conv2d& conv, const Shape& src, const Shape& dst, std::int64_t examples);

    explicit WideConvolution(const Work& work);

    /// Temporary memory of one call.
    [[nodiscard]] std::size_t scratchBytes() const { return m_scratchBytes; }
    void bind(std::byte* scratch) { m_scratch = scratch; }

    // Weights and their gradients as parameters lie in the arena.
    void forward(const std::byte* src, const float* weights, std::byte* dst);
    void backwardData(const std::byte* diffDst, const float* weights, std::byte* diffSrc);
    void backwardWeights(const std::byte* src, const std::byte* diffDst, float* diffWeights);

private:
    /// An image's map, cut into tiles whose windows overlap.
    struct Map
    {
        ChannelLayout layout;
        Shape shape;
    };
    /// Where a tile lies in a map: tile cell (0, 0) is at (row, column) of it, which may be
    /// outside.
    struct Place
    {
        std::int64_t image = 0;
        std::int64_t row = 0;
        std::int64_t column = 0;
    };
    /// Cells of the tile, rows [firstRow, endRow) and columns likewise.
    struct Part
    {
        std::int64_t firstRow = 0;
        std::int64_t endRow = kTile;
        std::int64_t firstColumn = 0;
        std::int64_t endColumn = kTile;
    };

    [[nodiscard]] std::int64_t tiles() const
    {
        return m_work.dst.images * m_tileRows * m_tileColumns;
    }
    [[nodiscard]] std::int64_t srcGroups() const
    {
        return m_work.srcShape.channels / kSpectrumLanes;
    }
    [[nodiscard]] std::int64_t dstGroups() const
    {
        return m_work.dstShape.channels / kSpectrumLanes;
    }
    /// The cells of dst that tile number `tile` makes begin there.
    [[nodiscard]] Place dstPlace(std::int64_t tile) const;
    [[nodiscard]] static TileCells cells(
        const Map& map, std::int64_t group, const Place& place, const Part& part,
        const std::byte* tensor);
    [[nodiscard]] TileCells filterCells(float* filter) const;
    void mapSpectra(
        const Map& map, std::int64_t group, const Part& part, const Extent& before,
        const std::byte* tensor, float* to) const;
    void filterSpectra(
        std::int64_t dstGroup, std::int64_t srcGroup, std::int64_t channel, float* to) const;
    void addThreads(float* sum) const;
    void sourceSpectra(const std::byte* src);
    template<class Body>
    void forEachGroup(Body body) const;

    [[nodiscard]] Map srcMap() const { return {m_work.src, m_work.srcShape}; }
    [[nodiscard]] Map dstMap() const { return {m_work.dst, m_work.dstShape}; }
    /// Of the filters as they were reordered: `channel` is that of the outer of the two groups.
    [[nodiscard]] float* filterAt(
        std::int64_t dstGroup, std::int64_t srcGroup, std::int64_t channel) const;
    [[nodiscard]] float* privateOf(std::int64_t thread) const
    {
        return floats(m_private) + thread * m_privateFloats;
    }
    [[nodiscard]] float* floats(std::size_t place) const
    {
        return reinterpret_cast<float*>(m_scratch + place);
    }
    /// Of one group of src channels.
    [[nodiscard]] float* sourceSpectrum(std::int64_t group) const
    {
        return floats(m_sources) + group * tiles() * kSpectrumFloats;
    }

    Work m_work;
    std::int64_t m_cells = 0; ///< of dst that a tile makes, in each direction
    std::int64_t m_tileRows = 0;
    std::int64_t m_tileColumns = 0;
    std::optional<Reorder> m_toBlocks;    ///< filters with 16 dst channels side by side
    std::optional<Reorder> m_toSrcBlocks; ///< filters with 16 src channels side by side
    std::optional<Reorder> m_fromBlocks;
    std::size_t m_scratchBytes = 0;
    std::size_t m_filters = 0; ///< reordered
    std::size_t m_sources = 0; ///< spectra of src
    std::size_t m_private = 0; ///< of the threads, one after the other
    std::int64_t m_privateFloats = 0;
    std::byte* m_scratch = nullptr;
};

} // namespace lockstep::cpu
