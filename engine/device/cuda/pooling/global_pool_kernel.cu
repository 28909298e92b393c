// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/pooling/global_pool_kernel.h"

#include "device/cuda/arrays/vector_access.h"

#include <cmath>
#include <limits>

namespace lockstep::cuda {
namespace {

// A block takes `columns` neighbouring channels of an image, a power of two so that few channels
// get all of its threads; the others share out the positions.

/// The sum of the values that a thread has seen.
struct Sum
{
    float value;

    static __device__ Sum none() { return {0.0F}; }
    __device__ void see(float next, int /*place*/) { value += next; }
    __device__ void join(const Sum& other) { value += other.value; }
};

/// The largest of them, and where it was.
struct Largest
{
    float value;
    int position;

    static __device__ Largest none()
    {
        return {-std::numeric_limits<float>::infinity(), std::numeric_limits<int>::max()};
    }
    __device__ void join(const Largest& other)
    {
        // A NaN is larger than all.
        const bool isLarger =
            std::isnan(value) ? false : std::isnan(other.value) || other.value > value;
        const bool isSame = std::isnan(value) ? std::isnan(other.value) : other.value == value;
        if (isLarger || (isSame && other.position < position)) {
            *this = other;
        }
    }
    __device__ void see(float next, int place) { join({next, place}); }
};

/// Of one channel of one image, in the threads of row 0.
template<class Found, class T>
__device__ Found reduceChannel(const GlobalPoolShape& shape, int columns, const T* src)
{
    __shared__ Found threads[kMostThreads];
    const auto thread = static_cast<int>(threadIdx.x);
    const std::int64_t channel = static_cast<std::int64_t>(blockIdx.x) * columns + thread % columns;
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * shape.positions;
    const int rows = static_cast<int>(blockDim.x) / columns;
    Found found = Found::none();
    if (channel < shape.channels) {
        for (int i = thread / columns; i < static_cast<int>(shape.positions); i += rows) {
            found.see(toFloat(src[(first + i) * shape.channels + channel]), i);
        }
    }
    threads[thread] = found;
    for (int half = static_cast<int>(blockDim.x) / 2; half >= columns; half /= 2) {
        __syncthreads();
        if (thread < half) {
            found.join(threads[thread + half]);
            threads[thread] = found;
        }
    }
    return found;
}

template<class T>
__global__ void __launch_bounds__(kMostThreads)
    globalAverageForwardKernel(GlobalPoolShape shape, int columns, const T* src, float* dst)
{
    waitForKernelBefore();
    const Sum sum = reduceChannel<Sum>(shape, columns, src);
    const std::int64_t channel = static_cast<std::int64_t>(blockIdx.x) * columns + threadIdx.x;
    if (static_cast<int>(threadIdx.x) < columns && channel < shape.channels) {
        dst[blockIdx.y * shape.channels + channel] =
            sum.value / static_cast<float>(shape.positions);
    }
}

template<class T>
__global__ void __launch_bounds__(kMostThreads) globalMaxForwardKernel(
    GlobalPoolShape shape, int columns, const T* src, float* dst, std::int32_t* places)
{
    waitForKernelBefore();
    const Largest largest = reduceChannel<Largest>(shape, columns, src);
    const std::int64_t channel = static_cast<std::int64_t>(blockIdx.x) * columns + threadIdx.x;
    if (static_cast<int>(threadIdx.x) < columns && channel < shape.channels) {
        const std::int64_t place = blockIdx.y * shape.channels + channel;
        dst[place] = largest.value;
        if (places != nullptr) {
            places[place] = largest.position;
        }
    }
}

/// Number of a value's channel among those of all images.
struct ValuePlace
{
    std::int64_t channel;
    std::int64_t position; ///< in its image
};
__device__ ValuePlace placeOf(const GlobalPoolShape& shape, std::int64_t value)
{
    const std::int64_t position = value / shape.channels;
    const std::int64_t image = position / shape.positions;
    return {
        image * shape.channels + value - position * shape.channels,
        position - image * shape.positions};
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads)
    globalAverageBackwardKernel(GlobalPoolShape shape, const float* diffDst, T* diffSrc)
{
    waitForKernelBefore();
    const std::int64_t count = shape.examples * shape.positions * shape.channels;
    for (std::int64_t i = globalThread(); i < count; i += globalThreads()) {
        const float diff = diffDst[placeOf(shape, i).channel];
        diffSrc[i] = fromFloat<T>(diff / static_cast<float>(shape.positions));
    }
}

template<class T>
__global__ void __launch_bounds__(kBlockThreads) globalMaxBackwardKernel(
    GlobalPoolShape shape, const float* diffDst, const std::int32_t* places, T* diffSrc)
{
    waitForKernelBefore();
    const std::int64_t count = shape.examples * shape.positions * shape.channels;
    for (std::int64_t i = globalThread(); i < count; i += globalThreads()) {
        const ValuePlace place = placeOf(shape, i);
        const bool isLargest = places[place.channel] == place.position;
        diffSrc[i] = fromFloat<T>(isLargest ? diffDst[place.channel] : 0.0F);
    }
}

/// Of a block: the power of two that holds the channels, at most a warp.
int columnsOf(const GlobalPoolShape& shape)
{
    int columns = 1;
    while (columns < shape.channels && columns < static_cast<int>(kWarpLanes)) {
        columns *= 2;
    }
    return columns;
}

LaunchShape forwardShape(const GlobalPoolShape& shape)
{
    const auto blocks = divideUp<std::int64_t>(shape.channels, columnsOf(shape));
    return {
        dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(shape.examples)),
        dim3(kMostThreads)};
}

LaunchShape backwardShape(const GlobalPoolShape& shape)
{
    return shapeFor(shape.examples * shape.positions * shape.channels, kDoubleGrid);
}

} // namespace

void globalAverageForward(
    cudaStream_t stream, const GlobalPoolShape& shape, const std::byte* src, float* dst)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            globalAverageForwardKernel<T>, forwardShape(shape), stream, shape, columnsOf(shape),
            reinterpret_cast<const T*>(src), dst);
    });
}

void globalAverageBackward(
    cudaStream_t stream, const GlobalPoolShape& shape, const float* diffDst, std::byte* diffSrc)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            globalAverageBackwardKernel<T>, backwardShape(shape), stream, shape, diffDst,
            reinterpret_cast<T*>(diffSrc));
    });
}

void globalMaxForward(
    cudaStream_t stream, const GlobalPoolShape& shape, const std::byte* src, float* dst,
    std::int32_t* places)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            globalMaxForwardKernel<T>, forwardShape(shape), stream, shape, columnsOf(shape),
            reinterpret_cast<const T*>(src), dst, places);
    });
}

void globalMaxBackward(
    cudaStream_t stream, const GlobalPoolShape& shape, const float* diffDst,
    const std::int32_t* places, std::byte* diffSrc)
{
    withType(shape.type, [&](auto zero) {
        using T = decltype(zero);
        launch(
            globalMaxBackwardKernel<T>, backwardShape(shape), stream, shape, diffDst, places,
            reinterpret_cast<T*>(diffSrc));
    });
}

} // namespace lockstep::cuda
