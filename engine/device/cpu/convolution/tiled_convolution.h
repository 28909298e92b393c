// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "device/cpu/kernels/tile_cells.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace lockstep::cpu {

/// A tensor of images whose channels lie in blocks, or side by side.
struct TiledMap
{
    ChannelLayout layout;
    Shape shape;

    /// Groups of 16 channels, the last of which may be filled up with zeros.
    [[nodiscard]] std::int64_t groups() const;
};

/// Where a tile lies in a map: tile cell (0, 0) is at (row, column) of it, which may be outside.
struct TilePlace
{
    std::int64_t image = 0;
    std::int64_t row = 0;
    std::int64_t column = 0;
};

/// Cells of the tile, rows [firstRow, endRow) and columns likewise.
struct TilePart
{
    std::int64_t firstRow = 0;
    std::int64_t endRow = 0;
    std::int64_t firstColumn = 0;
    std::int64_t endColumn = 0;

    static TilePart square(std::int64_t size) { return {0, size, 0, size}; }
};

/// The cells of the part that lie inside the map.
TileCells cellsAt(
    const TiledMap& map, std::int64_t group, const TilePlace& place, const TilePart& part,
    const std::byte* tensor);

/// How a map is cut into tiles.
struct TileGrid
{
    std::int64_t cells = 0; ///< of a tile in each direction
    std::int64_t images = 0;
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    TileGrid() = default;
    TileGrid(std::int64_t cells, const TiledMap& map);
    [[nodiscard]] std::int64_t tiles() const { return images * rows * columns; }
    [[nodiscard]] TilePlace place(std::int64_t tile) const;
};

/// Whether vectors of this processor can take the channels of such a tensor.
bool canTakeTiles(const ChannelLayout& layout);

/// What is planned; src and dst as in OpPlan.
struct TiledWork
{
    Conv2d conv;
    WindowDims window;
    TiledMap src;
    TiledMap dst;
    bool isRelu = false; ///< forward ends with it
    bool isTraining = true;
    int threads = 1;
};

/// The three products of a convolution in a transformed domain where they take fewer
/// multiplications. In float32 whatever the tensors are in. Stride 1, one group of channels.
class TiledConvolution : public Interface
{
public:
    [[nodiscard]] virtual std::string describe() const = 0;
    /// Temporary memory of one call.
    [[nodiscard]] virtual std::size_t scratchBytes() const = 0;
    void bind(std::byte* scratch) { m_scratch = scratch; }

    // Weights, bias and their gradients as parameters lie in the arena; bias may be null.
    virtual void forward(
        const std::byte* src, const float* weights, const float* bias, std::byte* dst) = 0;
    virtual void backwardData(
        const std::byte* diffDst, const float* weights, std::byte* diffSrc) = 0;
    virtual void backwardWeights(
        const std::byte* src, const std::byte* diffDst, float* diffWeights, float* diffBias) = 0;

protected:
    [[nodiscard]] float* floats(std::size_t place) const
    {
        return reinterpret_cast<float*>(m_scratch + place);
    }

private:
    std::byte* m_scratch = nullptr;
};

} // namespace lockstep::cpu
