// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/pooling/pool_cells.h"

#include <cmath>
#include <cstdint>
#include <limits>

// Both ways of a max pooling for one thread, wherever the values lie.
namespace lockstep::cuda {

/// Windows have at most 15 x 15 cells, so that the place of the largest one is kept in one byte.
constexpr int kLargestWindow = 15;
/// In place of a place: the largest value is not greater than 0, and its gradient is masked.
constexpr std::uint8_t kNotPositive = 255;
static_assert(kLargestWindow * kLargestWindow <= kNotPositive);

inline void requireMaxPool(const PoolShape& shape)
{
    requireFits(shape);
    const bool fits = shape.windowHeight <= kLargestWindow && shape.windowWidth <= kLargestWindow;
    checkCuda(fits ? cudaSuccess : cudaErrorInvalidValue, "pooling by windows above 15 x 15");
}

/// The largest values of a window, and where they were.
template<int kValues>
struct Largest
{
    float values[kValues];
    Vector<std::uint8_t, kValues> places;
};

/// Of the window at a cell of dst; load(y, x, values) loads the channels of a cell of src.
template<int kValues, class Load>
[[nodiscard]] __device__ Largest<kValues> largestOf(
    const PoolShape& shape, int row, int column, bool masksGradient, Load load)
{
    const int top = row * shape.strideHeight - shape.top;
    const int left = column * shape.strideWidth - shape.left;
    const auto [rows, columns] = cellsInside(shape, row, column);
    Largest<kValues> largest;
    for (int k = 0; k < kValues; ++k) {
        largest.values[k] = -std::numeric_limits<float>::infinity();
        largest.places.values[k] =
            static_cast<std::uint8_t>(rows.begin * shape.windowWidth + columns.begin);
    }
    for (int ky = rows.begin; ky < rows.end; ++ky) {
        for (int kx = columns.begin; kx < columns.end; ++kx) {
            float values[kValues];
            load(top + ky, left + kx, values);
            for (int k = 0; k < kValues; ++k) {
                // A NaN is larger than all, and the first one stays.
                if (!(values[k] <= largest.values[k]) && !std::isnan(largest.values[k])) {
                    largest.values[k] = values[k];
                    largest.places.values[k] =
                        static_cast<std::uint8_t>(ky * shape.windowWidth + kx);
                }
            }
        }
    }
    for (int k = 0; k < kValues; ++k) {
        const bool isMasked = masksGradient && largest.values[k] <= 0.0F;
        largest.places.values[k] = isMasked ? kNotPositive : largest.places.values[k];
    }
    return largest;
}

/// For largestOf(): out of `src`, the channels and the example that `of` names.
template<class T>
[[nodiscard]] __device__ auto loadCell(const PoolShape& shape, const Cell& of, const T* src)
{
    return [=, &shape](int y, int x, auto& values) {
        const Cell from{of.example, y, x, of.channel};
        loadFloats(src + indexOf(from, shape.srcHeight, shape.srcWidth, shape.channels), values);
    };
}

/// What the way back needs of a window.
template<class T, int kValues>
struct WindowDiff
{
    Vector<T, kValues> diff;
    Vector<std::uint8_t, kValues> places;
};

/// For sumDiffs(), likewise; `stride`: values from a position of diffDst to the next.
template<int kValues, class T>
[[nodiscard]] __device__ auto loadWindow(
    const PoolShape& shape, const Cell& of, int stride, const T* diffDst,
    const std::uint8_t* places)
{
    return [=, &shape](int row, int column) {
        const Cell window{of.example, row, column, of.channel};
        return WindowDiff<T, kValues>{
            loadVector<kValues>(diffDst + indexOf(window, shape.dstHeight, shape.dstWidth, stride)),
            loadVector<kValues>(
                places + indexOf(window, shape.dstHeight, shape.dstWidth, shape.channels))};
    };
}

/// sums = for a cell of src, diffDst of the windows whose largest value it was, window after
/// window; load(row, column) gives their WindowDiff. `kUnroll` are loaded before the first is used.
template<int kUnroll, int kValues, class Load>
__device__ void sumDiffs(
    const PoolShape& shape, const Cell& cell, Load load, float (&sums)[kValues])
{
    const auto [rows, columns] = windowsOver(shape, cell);
    for (int k = 0; k < kValues; ++k) {
        sums[k] = 0.0F;
    }
    int row = columns.begin < columns.end ? rows.begin : rows.end;
    int column = columns.begin;
    while (row < rows.end) {
        decltype(load(row, column)) windows[kUnroll];
        int places[kUnroll]; // of the cell in each window
        for (int i = 0; i < kUnroll; ++i) {
            places[i] = -1;
            if (row < rows.end) {
                windows[i] = load(row, column);
                places[i] = (cell.y + shape.top - row * shape.strideHeight) * shape.windowWidth
                            + cell.x + shape.left - column * shape.strideWidth;
                ++column;
                row += column == columns.end ? 1 : 0;
                column = column == columns.end ? columns.begin : column;
            }
        }
        for (int i = 0; i < kUnroll; ++i) {
            for (int k = 0; k < kValues && places[i] >= 0; ++k) {
                const bool isLargest = windows[i].places.values[k] == places[i];
                sums[k] += isLargest ? toFloat(windows[i].diff.values[k]) : 0.0F;
            }
        }
    }
}

} // namespace lockstep::cuda
