// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/convolution/tiled_convolution.h"
#include "device/cpu/kernels/tile_spectrum.h"
#include "device/cpu/layout/reorder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::cpu {

/// A convolution with a wide filter by Fourier transforms of tiles: each frequency of a tile of dst
/// is a sum over the channels of src of products, a fiftieth of the multiplications of a 15 x 15
/// filter. Agrees with the sums to float32's rounding. No bias. Filters of at most kTile / 2 rows
/// and columns.
class WideConvolution : public TiledConvolution
{
public:
    /// Whether it can do the work, and does it faster than the sums.
    static bool suits(const TiledWork& work);

    explicit WideConvolution(const TiledWork& work);

    [[nodiscard]] std::string describe() const override
    {
        return "own Fourier transforms of tiles";
    }
    [[nodiscard]] std::size_t scratchBytes() const override { return m_scratchBytes; }
    void forward(
        const std::byte* src, const float* weights, const float* bias, std::byte* dst) override;
    void backwardData(const std::byte* diffDst, const float* weights, std::byte* diffSrc) override;
    void backwardWeights(
        const std::byte* src, const std::byte* diffDst, float* diffWeights,
        float* diffBias) override;

private:
    [[nodiscard]] std::int64_t tiles() const { return m_grid.tiles(); }
    [[nodiscard]] TileCells filterCells(float* filter) const;
    void mapSpectra(
        const TiledMap& map, std::int64_t group, const TilePart& part, const Extent& before,
        const std::byte* tensor, float* to) const;
    void filterSpectra(
        std::int64_t dstGroup, std::int64_t srcGroup, std::int64_t channel, float* to) const;
    void addThreads(float* sum) const;
    void sourceSpectra(const std::byte* src);
    template<class Body>
    void forEachGroup(Body body) const;

    /// Of the filters as they were reordered: `channel` is that of the outer of the two groups.
    [[nodiscard]] float* filterAt(
        std::int64_t dstGroup, std::int64_t srcGroup, std::int64_t channel) const;
    [[nodiscard]] float* privateOf(std::int64_t thread) const
    {
        return floats(m_private) + thread * m_privateFloats;
    }
    /// Of one group of src channels.
    [[nodiscard]] float* sourceSpectrum(std::int64_t group) const
    {
        return floats(m_sources) + group * tiles() * kSpectrumFloats;
    }

    TiledWork m_work;
    std::int64_t m_cells; ///< of dst that a tile makes, in each direction
    TileGrid m_grid;
    std::optional<Reorder> m_toBlocks;    ///< filters with 16 dst channels side by side
    std::optional<Reorder> m_toSrcBlocks; ///< filters with 16 src channels side by side
    std::optional<Reorder> m_fromBlocks;
    std::size_t m_scratchBytes = 0;
    std::size_t m_filters = 0; ///< reordered
    std::size_t m_sources = 0; ///< spectra of src
    std::size_t m_private = 0; ///< of the threads, one after the other
    std::int64_t m_privateFloats = 0;
};

} // namespace lockstep::cpu
