// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/pooling/max_pool_kernel.h"

#include "device/cuda/arrays/bias_sums.h"
#include "device/cuda/pooling/max_pool_cells.h"

namespace lockstep::cuda {
namespace {

/// One thread for `kValues` channels of a cell of dst.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads) maxPoolForwardKernel(
    PoolShape shape, int dstStride, int count, const T* src, T* dst, PoolPlaces places)
{
    waitForKernelBefore();
    const std::int64_t thread = globalThread();
    if (thread >= count) {
        return;
    }
    const Cell cell =
        cellOf<kValues>(static_cast<int>(thread), shape.dstHeight, shape.dstWidth, shape.channels);
    const auto largest =
        largestOf<kValues>(shape, cell.y, cell.x, places.maskGradient, loadCell(shape, cell, src));
    storeFloats(dst + indexOf(cell, shape.dstHeight, shape.dstWidth, dstStride), largest.values);
    if (places.values != nullptr) {
        storeVector<kValues>(places.values + kValues * thread, largest.places);
    }
}

template<class T>
struct BackwardTensors
{
    int dstStride;
    const T* diffDst;
    const std::uint8_t* places;
    T* diffSrc;
};

/// For a cell of src: it looks into all windows over the cell.
template<class T, int kValues>
__device__ void backwardCell(
    const PoolShape& shape, const BackwardTensors<T>& tensors, const Cell& cell,
    float (&sums)[kValues])
{
    sumDiffs<4>(
        shape, cell,
        loadWindow<kValues>(shape, cell, tensors.dstStride, tensors.diffDst, tensors.places), sums);
    storeFloats(
        tensors.diffSrc + indexOf(cell, shape.srcHeight, shape.srcWidth, shape.channels), sums);
}

/// One thread for `kValues` channels of a cell of src.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    maxPoolBackwardKernel(PoolShape shape, int count, BackwardTensors<T> tensors)
{
    waitForKernelBefore();
    const std::int64_t thread = globalThread();
    if (thread < count) {
        float sums[kValues];
        backwardCell(
            shape, tensors,
            cellOf<kValues>(
                static_cast<int>(thread), shape.srcHeight, shape.srcWidth, shape.channels),
            sums);
    }
}

/// The same, and the sums over all cells.
template<class T, int kValues>
__global__ void __launch_bounds__(kBlockThreads)
    maxPoolBackwardBiasKernel(PoolShape shape, BackwardTensors<T> tensors, BiasSums bias)
{
    waitForKernelBefore();
    const TileThread thread = tileThread<kValues>();
    const auto cells = static_cast<std::int64_t>(shape.examples) * shape.srcHeight * shape.srcWidth;
    float sums[kValues] = {};
    for (std::int64_t i = thread.position; i < cells && thread.channel < shape.channels;
         i += thread.step) {
        Cell cell = cellOf<1>(static_cast<int>(i), shape.srcHeight, shape.srcWidth, 1);
        cell.channel = static_cast<int>(thread.channel);
        float values[kValues];
        backwardCell(shape, tensors, cell, values);
        for (int k = 0; k < kValues; ++k) {
            sums[k] += values[k];
        }
    }
    addTileSums(bias, thread, shape.channels, sums);
}

} // namespace

std::size_t maxPoolPlaceBytes(const PoolShape& shape)
{
    return static_cast<std::size_t>(dstValues(shape));
}

void maxPoolForward(
    cudaStream_t stream, const PoolShape& shape, std::int64_t dstStride, const std::byte* src,
    std::byte* dst, const PoolPlaces& places)
{
    requireMaxPool(shape);
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
    const std::uint8_t* places, std::byte* diffSrc, const GradientEnd& end)
{
    requireMaxPool(shape);
    withVectors(shape, [&](auto zero, auto values) {
        using T = decltype(zero);
        const BackwardTensors<T> tensors{
            static_cast<int>(dstStride), reinterpret_cast<const T*>(diffDst), places,
            reinterpret_cast<T*>(diffSrc)};
        if (end.diffBias == nullptr) {
            const std::int64_t count = srcValues(shape) / values.value;
            launch(
                maxPoolBackwardKernel<T, values.value>, shapeFor(count), stream, shape,
                static_cast<int>(count), tensors);
            return;
        }
        const std::int64_t cells = srcValues(shape) / shape.channels;
        const unsigned parts = tileParts<values.value>(cells);
        launch(
            maxPoolBackwardBiasKernel<T, values.value>,
            tileShape<values.value>(cells, shape.channels), stream, shape, tensors,
            biasSums(end, parts));
        joinBiasParts(stream, end, parts, shape.channels);
    });
}

} // namespace lockstep::cuda
