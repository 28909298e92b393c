// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/pooling/lrn_values.h"
#include "device/cuda/pooling/pool_and_norm_kernel.h"
#include "device/cuda/pooling/pool_cells.h"

// How blocks that keep rows of an example in their shared memory share out the pooled rows.
namespace lockstep::cuda {

/// Of a block's shared memory: with the places 30 KiB in float32.
constexpr int kTileValues = 6144;
/// Bands that keep a GPU busy.
constexpr int kFewestBands = 256;

/// How the pooled rows of the examples are shared out.
struct Bands
{
    int rows;      ///< of a band
    int ofExample; ///< bands
};

/// As wide as the tile allows, but not fewer than keep a GPU busy.
[[nodiscard]] inline Bands bandsOf(int rows, int mostRows, int examples)
{
    int wide = mostRows < rows ? mostRows : rows;
    while (wide > 1 && examples * divideUp(rows, wide) < kFewestBands) {
        --wide;
    }
    const int bands = divideUp(rows, wide);
    return {divideUp(rows, bands), bands};
}

/// Rows from a window's first row to the last row that begins another one.
[[nodiscard]] constexpr __host__ __device__ int haloRows(int window, int stride)
{
    return (window - 1) / stride;
}

/// Pooled rows that a tile has room for, besides what a band needs of its neighbours.
[[nodiscard]] inline int mostBandRows(const PoolAndNorm& pair, int innerWidth, int channels)
{
    const int rows = kTileValues / (innerWidth * channels);
    const auto window = static_cast<int>(pair.pool.window.height);
    const auto stride = static_cast<int>(pair.pool.stride.height);
    return pair.isPoolFirst ? rows - haloRows(window, stride) : (rows - window + stride) / stride;
}

/// A band of one example, and the values of its tile.
template<class T>
struct Tile
{
    static constexpr int kValues = kVectorValues<T>;

    const PoolShape& shape;
    ChannelLane at;
    int width; ///< positions of a row
    Range rows;

    /// Of a position's values that are the lane's.
    [[nodiscard]] __device__ int vector(int position) const
    {
        return position * (shape.channels / kValues) + at.channel / kValues;
    }
    [[nodiscard]] __device__ int vector(int y, int x) const
    {
        return vector((y - rows.begin) * width + x);
    }
    /// Calls body(y, x, position from the first row, is there one) for some rows as wide as
    /// `columns`, in all lanes; the block's warps take turns.
    template<class Body>
    __device__ void forEach(const Range& some, int columns, Body body) const
    {
        const int count = (some.end - some.begin) * columns;
        constexpr int kWarps = kBlockThreads / kWarpLanes;
        const int warp = static_cast<int>(threadIdx.x / kWarpLanes);
        for (int first = warp * at.positions; first < count; first += kWarps * at.positions) {
            const int position = first + at.position;
            const int row = position / columns;
            body(
                some.begin + row, position - row * columns, position,
                at.isUsed() && position < count);
        }
    }
};

} // namespace lockstep::cuda
