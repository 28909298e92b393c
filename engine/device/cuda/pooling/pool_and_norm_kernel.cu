// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/pooling/pool_and_norm_kernel.h"

#include "device/cuda/pooling/max_pool_cells.h"
#include "device/cuda/pooling/pool_bands.h"
#include "device/cuda/pooling/position_sums.h"

namespace lockstep::cuda {
namespace {

// A normalisation whose source is pooled in registers, and one whose gradient is, go on there: a
// warp has all channels of a position. The other way round a pooling needs normalised values, or
// gradients, of several positions: a block makes those of a band of rows in its shared memory.

template<class T, class Factors>
__global__ void __launch_bounds__(kBlockThreads)
    poolThenNormForwardKernel(Factors lrn, PoolShape shape, PoolAndNormValues<T> values)
{
    waitForKernelBefore();
    constexpr int kValues = kVectorValues<T>;
    const std::int64_t count = std::int64_t{shape.examples} * shape.dstHeight * shape.dstWidth;
    forEachLrnPosition<kValues>(
        count, shape.channels, [&](const ChannelLane& at, std::int64_t position, bool isActive) {
            const std::int64_t index = position * shape.channels + at.channel;
            Largest<kValues> largest{};
            if (isActive) {
                Cell cell =
                    cellOf<1>(static_cast<int>(position), shape.dstHeight, shape.dstWidth, 1);
                cell.channel = at.channel;
                largest = largestOf<kValues>(
                    shape, cell.y, cell.x, values.places.maskGradient,
                    loadCell(shape, cell, values.src));
                storeVector<kValues>(values.places.values + index, largest.places);
                storeFloats(values.inner + index, largest.values);
            }
            normalize(lrn, at, largest.values);
            if (isActive) {
                storeFloats(values.dst + index, largest.values);
            }
        });
}

/// A block makes the gradient of the pooled values of one band after another, and from that the
/// gradient of the rows below it.
template<class T, class Factors>
__global__ void __launch_bounds__(kBlockThreads) poolThenNormBackwardKernel(
    Factors lrn, PoolShape shape, Bands bands, PoolAndNormGradients<T> tensors, BiasSums bias)
{
    waitForKernelBefore();
    constexpr int kValues = kVectorValues<T>;
    __shared__ Vector<T, kValues> diffs[kTileValues / kValues];
    __shared__ Vector<std::uint8_t, kValues> places[kTileValues / kValues];
    const ChannelLane at = channelLane<kValues>(shape.channels);
    float sums[kValues] = {};
    const int count = shape.examples * bands.ofExample;
    for (int band = static_cast<int>(blockIdx.x); band < count;
         band += static_cast<int>(gridDim.x)) {
        const int example = band / bands.ofExample;
        const int first = (band - example * bands.ofExample) * bands.rows;
        const int end = first + bands.rows;
        const Tile<T> tile{
            shape, at, shape.dstWidth,
            rowsInside(
                first - haloRows(shape.windowHeight, shape.strideHeight), end, shape.dstHeight)};
        __syncthreads(); // the band before may still be read
        tile.forEach(tile.rows, tile.width, [&](int y, int x, int position, bool isActive) {
            float value[kValues] = {};
            float diff[kValues] = {};
            const Cell cell{example, y, x, at.channel};
            const auto index = indexOf(cell, shape.dstHeight, shape.dstWidth, shape.channels);
            if (isActive) {
                loadFloats(tensors.normSrc + index, value);
                loadFloats(tensors.diffDst + index, diff);
                places[tile.vector(position)] = loadVector<kValues>(tensors.places + index);
            }
            normalizeBack(lrn, at, value, diff);
            if (isActive) {
                for (int k = 0; k < kValues; ++k) {
                    diffs[tile.vector(position)].values[k] = fromFloat<T>(diff[k]);
                }
            }
        });
        __syncthreads();
        const Range below = rowsInside(
            first * shape.strideHeight - shape.top, end * shape.strideHeight - shape.top,
            shape.srcHeight);
        tile.forEach(below, shape.srcWidth, [&](int y, int x, int, bool isActive) {
            if (!isActive) {
                return;
            }
            const Cell cell{example, y, x, at.channel};
            float diff[kValues];
            const auto load = [&](int row, int column) {
                const int vector = tile.vector(row, column);
                return WindowDiff<T, kValues>{diffs[vector], places[vector]};
            };
            sumDiffs<1>(shape, cell, load, diff);
            for (int k = 0; k < kValues; ++k) {
                sums[k] += diff[k];
            }
            storeFloats(
                tensors.diffSrc + indexOf(cell, shape.srcHeight, shape.srcWidth, shape.channels),
                diff);
        });
    }
    addPositionSums(bias, at, shape.channels, sums);
}

/// A block normalises the rows below its band, and pools them.
template<class T, class Factors>
__global__ void __launch_bounds__(kBlockThreads) normThenPoolForwardKernel(
    Factors lrn, PoolShape shape, Bands bands, PoolAndNormValues<T> values)
{
    waitForKernelBefore();
    constexpr int kValues = kVectorValues<T>;
    __shared__ Vector<T, kValues> normalized[kTileValues / kValues];
    const ChannelLane at = channelLane<kValues>(shape.channels);
    const int example = static_cast<int>(blockIdx.x) / bands.ofExample;
    const int first = (static_cast<int>(blockIdx.x) - example * bands.ofExample) * bands.rows;
    const Range pooled = rowsInside(first, first + bands.rows, shape.dstHeight);
    const int below = (pooled.end - 1) * shape.strideHeight - shape.top + shape.windowHeight;
    const Tile<T> tile{
        shape, at, shape.srcWidth,
        rowsInside(first * shape.strideHeight - shape.top, below, shape.srcHeight)};
    tile.forEach(tile.rows, tile.width, [&](int y, int x, int position, bool isActive) {
        const Cell cell{example, y, x, at.channel};
        const auto index = indexOf(cell, shape.srcHeight, shape.srcWidth, shape.channels);
        float value[kValues] = {};
        if (isActive) {
            loadFloats(values.src + index, value);
        }
        normalize(lrn, at, value);
        if (isActive) {
            Vector<T, kValues>& kept = normalized[tile.vector(position)];
            for (int k = 0; k < kValues; ++k) {
                kept.values[k] = fromFloat<T>(value[k]);
            }
        }
    });
    __syncthreads();
    tile.forEach(pooled, shape.dstWidth, [&](int row, int column, int, bool isActive) {
        if (!isActive) {
            return;
        }
        const auto load = [&](int y, int x, float(&loaded)[kValues]) {
            const Vector<T, kValues>& kept = normalized[tile.vector(y, x)];
            for (int k = 0; k < kValues; ++k) {
                loaded[k] = toFloat(kept.values[k]);
            }
        };
        const auto largest =
            largestOf<kValues>(shape, row, column, values.places.maskGradient, load);
        const Cell cell{example, row, column, at.channel};
        const auto index = indexOf(cell, shape.dstHeight, shape.dstWidth, shape.channels);
        storeFloats(values.dst + index, largest.values);
        storeVector<kValues>(values.places.values + index, largest.places);
    });
}

template<class T, class Factors>
__global__ void __launch_bounds__(kBlockThreads) normThenPoolBackwardKernel(
    Factors lrn, PoolShape shape, PoolAndNormGradients<T> tensors, bool hasRelu, BiasSums bias)
{
    waitForKernelBefore();
    constexpr int kValues = kVectorValues<T>;
    const std::int64_t count = std::int64_t{shape.examples} * shape.srcHeight * shape.srcWidth;
    float sums[kValues] = {};
    forEachLrnPosition<kValues>(
        count, shape.channels, [&](const ChannelLane& at, std::int64_t position, bool isActive) {
            const std::int64_t index = position * shape.channels + at.channel;
            float value[kValues] = {};
            float diff[kValues] = {};
            if (isActive) {
                Cell cell =
                    cellOf<1>(static_cast<int>(position), shape.srcHeight, shape.srcWidth, 1);
                cell.channel = at.channel;
                loadFloats(tensors.normSrc + index, value);
                sumDiffs<2>(
                    shape, cell,
                    loadWindow<kValues>(
                        shape, cell, shape.channels, tensors.diffDst, tensors.places),
                    diff);
                for (int k = 0; k < kValues; ++k) {
                    diff[k] = toFloat(fromFloat<T>(diff[k]));
                }
            }
            normalizeBack(lrn, at, value, diff);
            if (isActive) {
                endDiff(hasRelu, value, diff, sums);
                storeFloats(tensors.diffSrc + index, diff);
            }
        });
    addPositionSums(bias, channelLane<kValues>(shape.channels), shape.channels, sums);
}

/// Calls body(a T, factors).
template<class Body>
void withBoth(const PoolAndNorm& pair, const PoolShape& shape, Body body)
{
    withType(shape.type, [&](auto zero) {
        withLrn(pair.lrn, shape.channels, [&](auto lrn) { body(zero, lrn); });
    });
}

} // namespace

bool isOneKernel(const PoolAndNorm& pair, const Shape& inner, DataType type)
{
    const auto channels = static_cast<int>(inner.channels);
    bool fits = pair.pool.window.height <= kLargestWindow
                && pair.pool.window.width <= kLargestWindow
                && inner.width * inner.channels <= kTileValues
                && mostBandRows(pair, static_cast<int>(inner.width), channels) > 0;
    withType(type, [&](auto zero) { fits = fits && isFast<decltype(zero)>(pair.lrn, channels); });
    return fits;
}

std::size_t poolAndNormScratchBytes(const PoolShape& shape)
{
    return positionScratchBytes(shape.channels);
}

void poolAndNormForward(
    cudaStream_t stream, const PoolAndNorm& pair, const PoolShape& shape,
    const PoolAndNormValues<std::byte>& values)
{
    requireMaxPool(shape);
    withBoth(pair, shape, [&](auto zero, auto lrn) {
        using T = decltype(zero);
        const PoolAndNormValues<T> typed{
            reinterpret_cast<const T*>(values.src), reinterpret_cast<T*>(values.inner),
            reinterpret_cast<T*>(values.dst), values.places};
        if (pair.isPoolFirst) {
            const std::int64_t warps =
                lrnWarps<T>(dstValues(shape) / shape.channels, shape.channels);
            launch(
                poolThenNormForwardKernel<T, decltype(lrn)>, shapeFor(warps * kWarpLanes), stream,
                lrn, shape, typed);
            return;
        }
        const Bands bands = bandsOf(
            shape.dstHeight, mostBandRows(pair, shape.srcWidth, shape.channels), shape.examples);
        const LaunchShape grid{
            dim3(static_cast<unsigned>(shape.examples * bands.ofExample)), dim3(kBlockThreads)};
        launch(normThenPoolForwardKernel<T, decltype(lrn)>, grid, stream, lrn, shape, bands, typed);
    });
}

void poolAndNormBackward(
    cudaStream_t stream, const PoolAndNorm& pair, const PoolShape& shape,
    const PoolAndNormGradients<std::byte>& tensors, const GradientEnd& end)
{
    requireMaxPool(shape);
    withBoth(pair, shape, [&](auto zero, auto lrn) {
        using T = decltype(zero);
        const PoolAndNormGradients<T> typed{
            reinterpret_cast<const T*>(tensors.normSrc),
            reinterpret_cast<const T*>(tensors.diffDst), tensors.places,
            reinterpret_cast<T*>(tensors.diffSrc)};
        LaunchShape grid{dim3(1), dim3(kBlockThreads)};
        if (pair.isPoolFirst) {
            // Rows of src below the last window belong to a band, too.
            const int rows = (shape.srcHeight - 1 + shape.top) / shape.strideHeight + 1;
            const Bands bands =
                bandsOf(rows, mostBandRows(pair, shape.dstWidth, shape.channels), shape.examples);
            grid.grid.x = positionBlocks(end, std::int64_t{shape.examples} * bands.ofExample);
            launch(
                poolThenNormBackwardKernel<T, decltype(lrn)>, grid, stream, lrn, shape, bands,
                typed, biasSums(end, grid.grid.x));
        } else {
            const std::int64_t warps =
                lrnWarps<T>(srcValues(shape) / shape.channels, shape.channels);
            grid.grid.x = positionBlocks(end, shapeFor(warps * kWarpLanes).grid.x);
            launch(
                normThenPoolBackwardKernel<T, decltype(lrn)>, grid, stream, lrn, shape, typed,
                end.hasRelu, biasSums(end, grid.grid.x));
        }
        joinBiasParts(stream, end, grid.grid.x, shape.channels);
    });
}

} // namespace lockstep::cuda
