// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/max_pool_kernel.h"

#include "device/cuda/kernels/pool_cells.h"

#include <cmath>
#include <limits>

namespace lockstep::cuda {
namespace {

constexpr int kLargestWindow = 15;

/// One thread for `kValues` channels of a cell of dst.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads) maxPoolForwardKernel(
    PoolShape shape, int dstStride, int count, const T* src, T* dst, std::uint8_t* places)
{
    const std::int64_t thread = globalThread();
    if (thread >= count) {
        return;
    }
    const Cell cell =
        cellOf<kValues>(static_cast<int>(thread), shape.dstHeight, shape.dstWidth, shape.channels);
    const int top = cell.y * shape.strideHeight - shape.top;
    const int left = cell.x * shape.strideWidth - shape.left;
    const auto [rows, columns] = cellsInside(shape, cell.y, cell.x);
    float largest[kValues];
    Vector<std::uint8_t, kValues> place;
    for (int k = 0; k < kValues; ++k) {
        largest[k] = -std::numeric_limits<float>::infinity();
        place.values[k] = static_cast<std::uint8_t>(rows.begin * shape.windowWidth + columns.begin);
    }
    for (int ky = rows.begin; ky < rows.end; ++ky) {
        for (int kx = columns.begin; kx < columns.end; ++kx) {
            const Cell from{cell.example, top + ky, left + kx, cell.channel};
            float values[kValues];
            loadFloats(
                src + indexOf(from, shape.srcHeight, shape.srcWidth, shape.channels), values);
            for (int k = 0; k < kValues; ++k) {
                // A NaN is larger than all, and the first one stays.
                if (!(values[k] <= largest[k]) && !std::isnan(largest[k])) {
                    largest[k] = values[k];
                    place.values[k] = static_cast<std::uint8_t>(ky * shape.windowWidth + kx);
                }
            }
        }
    }
    storeFloats(dst + indexOf(cell, shape.dstHeight, shape.dstWidth, dstStride), largest);
    if (places != nullptr) {
        storeVector<kValues>(places + kValues * thread, place);
    }
}

/// One thread for `kValues` channels of a cell of src: it looks into all windows over the cell.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads) maxPoolBackwardKernel(
    PoolShape shape, int dstStride, int count, const T* diffDst, const std::uint8_t* places,
    T* diffSrc)
{
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
            const Cell window{cell.example, row, column, cell.channel};
            const int ky = cell.y + shape.top - row * shape.strideHeight;
            const int kx = cell.x + shape.left - column * shape.strideWidth;
            const auto place = loadVector<kValues>(
                places + indexOf(window, shape.dstHeight, shape.dstWidth, shape.channels));
            float diff[kValues];
            loadFloats(diffDst + indexOf(window, shape.dstHeight, shape.dstWidth, dstStride), diff);
            for (int k = 0; k < kValues; ++k) {
                sum[k] += place.values[k] == ky * shape.windowWidth + kx ? diff[k] : 0.0F;
            }
        }
    }
    storeFloats(diffSrc + kValues * thread, sum);
}

void requireFits(const PoolShape& shape)
{
    const bool fits = shape.windowHeight <= kLargestWindow && shape.windowWidth <= kLargestWindow
                      && srcValues(shape) <= std::numeric_limits<int>::max()
                      && dstValues(shape) <= std::numeric_limits<int>::max();
    checkCuda(fits ? cudaSuccess : cudaErrorInvalidValue, "pooling by windows above 15 x 15");
}

} // namespace

std::size_t maxPoolPlaceBytes(const PoolShape& shape)
{
    return static_cast<std::size_t>(dstValues(shape));
}

void maxPoolForward(
    cudaStream_t stream, const PoolShape& shape, std::int64_t dstStride, const std::byte* src,
    std::byte* dst, std::uint8_t* places)
{
    requireFits(shape);
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        const std::int64_t count = dstValues(shape) / values.value;
        launch(
            maxPoolForwardKernel<T, values.value>, shapeFor(count), stream, shape,
            static_cast<int>(dstStride), static_cast<int>(count), reinterpret_cast<const T*>(src),
            reinterpret_cast<T*>(dst), places);
    });
}

void maxPoolBackward(
    cudaStream_t stream, const PoolShape& shape, std::int64_t dstStride, const std::byte* diffDst,
    const std::uint8_t* places, std::byte* diffSrc)
{
    requireFits(shape);
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        const std::int64_t count = srcValues(shape) / values.value;
        launch(
            maxPoolBackwardKernel<T, values.value>, shapeFor(count), stream, shape,
            static_cast<int>(dstStride), static_cast<int>(count),
            reinterpret_cast<const T*>(diffDst), places, reinterpret_cast<T*>(diffSrc));
    });
}

} // namespace lockstep::cuda
