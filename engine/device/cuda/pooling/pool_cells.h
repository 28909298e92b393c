// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/vector_access.h"
#include "device/cuda/pooling/pool_shape.h"

// How kernels find their way through pooled tensors: a thread takes some channels of a cell.
namespace lockstep::cuda {

/// A cell of a tensor and the first of its channels that a thread works on.
struct Cell
{
    int example;
    int y;
    int x;
    int channel;
};

/// Cell of a thread in a tensor of such cells, `kValues` channels a thread.
template<int kValues>
[[nodiscard]] __device__ Cell cellOf(int thread, int height, int width, int channels)
{
    const int parts = channels / kValues;
    const int position = thread / parts;
    const int row = position / width;
    const int example = row / height;
    return {
        example, row - example * height, position - row * width,
        (thread - position * parts) * kValues};
}

[[nodiscard]] __device__ inline std::int64_t indexOf(
    const Cell& cell, int height, int width, int channels)
{
    const std::int64_t position = (std::int64_t{cell.example} * height + cell.y) * width + cell.x;
    return position * channels + cell.channel;
}

struct Range
{
    int begin;
    int end;
};

/// The part of a window from `first` on that lies within `size` cells.
[[nodiscard]] __device__ inline Range clip(int first, int window, int size)
{
    return {first < 0 ? -first : 0, first + window > size ? size - first : window};
}

/// Of rows from `begin` to `end` - 1 those of a tensor of `rows` rows.
[[nodiscard]] __device__ inline Range rowsInside(int begin, int end, int rows)
{
    return {begin < 0 ? 0 : begin, end > rows ? rows : end};
}

/// Rows and columns: of cells, or of windows.
struct Area
{
    Range rows;
    Range columns;
};

/// The cells of the window at (row, column) of dst that are in the image, counted from its corner.
[[nodiscard]] __device__ inline Area cellsInside(const PoolShape& shape, int row, int column)
{
    return {
        clip(row * shape.strideHeight - shape.top, shape.windowHeight, shape.srcHeight),
        clip(column * shape.strideWidth - shape.left, shape.windowWidth, shape.srcWidth)};
}

/// Numbers of the windows that have cell `at` in them: those from begin to end - 1.
[[nodiscard]] __device__ inline Range windowsOver(
    int at, int padding, int window, int stride, int windows)
{
    const int last = (at + padding) / stride;
    const int first = at + padding - window + 1;
    return {first > 0 ? divideUp(first, stride) : 0, last < windows ? last + 1 : windows};
}

/// The windows that have a cell of src in them.
[[nodiscard]] __device__ inline Area windowsOver(const PoolShape& shape, const Cell& cell)
{
    return {
        windowsOver(cell.y, shape.top, shape.windowHeight, shape.strideHeight, shape.dstHeight),
        windowsOver(cell.x, shape.left, shape.windowWidth, shape.strideWidth, shape.dstWidth)};
}

} // namespace lockstep::cuda
