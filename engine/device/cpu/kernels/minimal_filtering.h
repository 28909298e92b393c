// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/kernels/tile_cells.h"

#include <array>
#include <cstdint>

// Convolutions with fewer multiplications: what filters, tiles of a map and tiles of the result are
// as polynomials is known from their values at some points, where a convolution is a product for
// each point (Winograd 1980; Lavin & Gray, "Fast Algorithms for Convolutional Neural Networks",
// 2015). With n points in each direction a filter of r x r makes tiles of m x m, m = n + 1 - r, of
// n x n products instead of m x m x r x r. In float32, compiled for several instruction sets;
// single-threaded.
//
// Arrays of values at points are [point][group of 16 channels][line][16], a line being a tile, or a
// channel of the other side of a filter: so each of them may stand on each side of a product.
namespace lockstep::cpu {

/// Points in each direction: 0, some pairs, and infinity.
enum class PointSet {
    Six = 6,
    Eight = 8,
};

/// In both directions.
constexpr std::int64_t pointsIn(PointSet set)
{
    return static_cast<std::int64_t>(set) * static_cast<std::int64_t>(set);
}

/// Channels that a vector of this processor holds: blocks of channels must be multiples of it.
std::int64_t vectorChannels();

/// Values of one line at all points: that of point p begins at start + p * stride.
struct PointValues
{
    float* start = nullptr;
    std::int64_t stride = 0;
};

/// What products with the filter's values make of a tile of the map, n x n cells.
void sourcePoints(PointSet set, const TileCells& cells, const PointValues& to);

/// Values of `size` x `size` cells. A filter's are scaled for the products with a map's.
struct CellsTask
{
    PointSet set = PointSet::Eight;
    std::int64_t size = 0;
    bool isFilter = false;
};
void cellPoints(const CellsTask& task, const TileCells& cells, const PointValues& to);

/// The transpose of cellPoints(): `size` x `size` cells of sums of products. Writes the cells that
/// exist. `bias` (16 values, may be null) is added, then negative values are made 0 if `isRelu`.
struct Finish
{
    const float* bias = nullptr;
    bool isRelu = false;
};
void pointCells(
    const CellsTask& task, const PointValues& from, const TileCells& cells, const Finish& finish);

/// sums(i, j) = (adds: +=) the sum over k of left(i, k) * right(k, j), of one point. `right` and
/// `sums` have their lines side by side by groups of 16 columns j.
struct PointProduct
{
    std::int64_t rows = 0;
    std::int64_t depth = 0;
    std::int64_t groups = 0; ///< of 16 columns
    const float* left = nullptr;
    std::int64_t leftStride = 0; ///< from a group to the next
    const float* right = nullptr;
    std::int64_t rightStride = 0;
    float* sums = nullptr;
    std::int64_t sumsStride = 0;
    bool adds = false;
};
/// The lines of `left` are rows, its channels the depth.
void multiplyLines(const PointProduct& product);
/// The lines of `left` are the depth, its channels the rows.
void multiplyChannels(const PointProduct& product);

} // namespace lockstep::cpu
