// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/add_kernel.h"

#include "device/cuda/arrays/vector_access.h"

namespace lockstep::cuda {
namespace {

/// Number of a value of the sum among those of the right addend; -1: it has none there.
[[nodiscard]] __device__ std::int64_t placeOnRight(const AddShape& shape, std::int64_t i)
{
    if (shape.rightChannels == shape.channels) {
        return i;
    }
    const std::int64_t position = i / shape.channels;
    const std::int64_t channel = i - position * shape.channels;
    return channel < shape.rightChannels ? position * shape.rightChannels + channel : -1;
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    addForwardKernel(AddShape shape, const T* left, const T* right, T* sum)
{
    waitForKernelBefore();
    const bool isAligned = shape.rightChannels == shape.channels;
    forEachValue<kVectorValues<T>>(
        shape.positions * shape.channels, isAligned, [&](auto width, std::int64_t i) {
            float values[width.value];
            loadFloats(left + i, values);
            const std::int64_t place = placeOnRight(shape, i);
            if (right != nullptr && place >= 0) {
                float addends[width.value];
                loadFloats(right + place, addends);
                for (int k = 0; k < width.value; ++k) {
                    values[k] += addends[k];
                }
            }
            for (int k = 0; k < width.value; ++k) {
                values[k] = shape.hasRelu ? relu(values[k]) : values[k];
            }
            storeFloats(sum + i, values);
        });
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    addBackwardKernel(AddShape shape, const T* sum, const T* diffSum, T* diffLeft, T* diffRight)
{
    waitForKernelBefore();
    const bool isAligned = shape.rightChannels == shape.channels;
    forEachValue<kVectorValues<T>>(
        shape.positions * shape.channels, isAligned, [&](auto width, std::int64_t i) {
            float diffs[width.value];
            loadFloats(diffSum + i, diffs);
            if (shape.hasRelu) {
                float values[width.value];
                loadFloats(sum + i, values);
                for (int k = 0; k < width.value; ++k) {
                    diffs[k] = throughRelu(values[k], diffs[k]);
                }
            }
            if (diffLeft != nullptr) {
                storeFloats(diffLeft + i, diffs);
            }
            const std::int64_t place = placeOnRight(shape, i);
            if (diffRight != nullptr && place >= 0) {
                storeFloats(diffRight + place, diffs);
            }
        });
}

template<class T>
LaunchShape shapeOf(const AddShape& shape)
{
    const std::int64_t values = shape.positions * shape.channels;
    const bool isAligned = shape.rightChannels == shape.channels;
    return shapeFor(divideUp<std::int64_t>(values, isAligned ? kVectorValues<T> : 1), kFullGrid);
}

} // namespace

void addForward(
    cudaStream_t stream, const AddShape& shape, const std::byte* left, const std::byte* right,
    std::byte* sum)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            addForwardKernel<T>, shapeOf<T>(shape), stream, shape, reinterpret_cast<const T*>(left),
            reinterpret_cast<const T*>(right), reinterpret_cast<T*>(sum));
    });
}

void addBackward(cudaStream_t stream, const AddShape& shape, const AddDiff& arrays)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            addBackwardKernel<T>, shapeOf<T>(shape), stream, shape,
            reinterpret_cast<const T*>(arrays.sum), reinterpret_cast<const T*>(arrays.diffSum),
            reinterpret_cast<T*>(arrays.diffLeft), reinterpret_cast<T*>(arrays.diffRight));
    });
}

} // namespace lockstep::cuda
