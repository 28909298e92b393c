// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/pooling/average_pool_kernel.h"

#include "device/cuda/pooling/pool_cells.h"

namespace lockstep::cuda {
namespace {

/// Of a cell in the mean of a window that has so many in the image.
[[nodiscard]] __device__ float shareOf(const PoolShape& shape, const Area& cells)
{
    const int inside =
        (cells.rows.end - cells.rows.begin) * (cells.columns.end - cells.columns.begin);
    const int count = shape.countsPadding ? shape.windowHeight * shape.windowWidth : inside;
    return 1.0F / static_cast<float>(count);
}

/// One thread for `kValues` channels of a cell of dst.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    averagePoolForwardKernel(PoolShape shape, int count, const T* src, T* dst)
{
    waitForKernelBefore();
    const std::int64_t thread = globalThread();
    if (thread >= count) {
        return;
    }
    const Cell cell =
        cellOf<kValues>(static_cast<int>(thread), shape.dstHeight, shape.dstWidth, shape.channels);
    const int top = cell.y * shape.strideHeight - shape.top;
    const int left = cell.x * shape.strideWidth - shape.left;
    const Area window = cellsInside(shape, cell.y, cell.x);
    const float share =
        shareOf(shape, window); // a division: before there are sums to be kept for it
    float sum[kValues] = {};
    for (int ky = window.rows.begin; ky < window.rows.end; ++ky) {
        const Cell first{cell.example, top + ky, left + window.columns.begin, cell.channel};
        const T* from = src + indexOf(first, shape.srcHeight, shape.srcWidth, shape.channels);
        for (int kx = window.columns.begin; kx < window.columns.end; ++kx, from += shape.channels) {
            float values[kValues];
            loadFloats(from, values);
            for (int k = 0; k < kValues; ++k) {
                sum[k] += values[k];
            }
        }
    }
    for (int k = 0; k < kValues; ++k) {
        sum[k] *= share;
    }
    storeFloats(dst + kValues * thread, sum);
}

/// One thread for `kValues` channels of a cell of src: it looks into all windows over the cell.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    averagePoolBackwardKernel(PoolShape shape, int count, const T* diffDst, T* diffSrc)
{
    waitForKernelBefore();
    const std::int64_t thread = globalThread();
    if (thread >= count) {
        return;
    }
    const Cell cell =
        cellOf<kValues>(static_cast<int>(thread), shape.srcHeight, shape.srcWidth, shape.channels);
    const auto [rows, columns] = windowsOver(shape, cell);
    float sum[kValues] = {};
    for (int row = rows.begin; row < rows.end; ++row) {
        for (int column = columns.begin; column < columns.end; ++column) {
            const float share = shareOf(shape, cellsInside(shape, row, column));
            float diff[kValues];
            loadFloats(
                diffDst
                    + indexOf(
                        {cell.example, row, column, cell.channel}, shape.dstHeight, shape.dstWidth,
                        shape.channels),
                diff);
            for (int k = 0; k < kValues; ++k) {
                sum[k] += share * diff[k];
            }
        }
    }
    storeFloats(diffSrc + kValues * thread, sum);
}

} // namespace

void averagePoolForward(
    cudaStream_t stream, const PoolShape& shape, const std::byte* src, std::byte* dst)
{
    requireFits(shape);
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        const std::int64_t count = dstValues(shape) / values.value;
        launch(
            averagePoolForwardKernel<T, values.value>, shapeFor(count), stream, shape,
            static_cast<int>(count), reinterpret_cast<const T*>(src), reinterpret_cast<T*>(dst));
    });
}

void averagePoolBackward(
    cudaStream_t stream, const PoolShape& shape, const std::byte* diffDst, std::byte* diffSrc)
{
    requireFits(shape);
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        const std::int64_t count = srcValues(shape) / values.value;
        launch(
            averagePoolBackwardKernel<T, values.value>, shapeFor(count), stream, shape,
            static_cast<int>(count), reinterpret_cast<const T*>(diffDst),
            reinterpret_cast<T*>(diffSrc));
    });
}

} // namespace lockstep::cuda
