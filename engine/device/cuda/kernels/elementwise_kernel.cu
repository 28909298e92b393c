// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/elementwise_kernel.h"

#include "device/cuda/arrays/vector_access.h"

#include <cmath>

namespace lockstep::cuda {
namespace {

template<Activation kActivation>
[[nodiscard]] __device__ float activated(float x)
{
    if constexpr (kActivation == Activation::Sigmoid) {
        return 1.0F / (1.0F + std::exp(-x));
    }
    return relu(x);
}

template<Activation kActivation>
[[nodiscard]] __device__ float diffOf(float x, float diffDst)
{
    if constexpr (kActivation == Activation::Sigmoid) {
        // Both factors by themselves: 1 - sigmoid(x) of a large x would be 0.
        return diffDst * activated<kActivation>(x) * activated<kActivation>(-x);
    }
    return throughRelu(x, diffDst);
}

template<class T, Activation kActivation>
__global__ void __launch_bounds__(kBlockThreads)
    elementwiseForwardKernel(std::int64_t count, const T* src, T* dst)
{
    waitForKernelBefore();
    forEachValue<kVectorValues<T>>(count, true, [&](auto width, std::int64_t i) {
        float values[width.value];
        loadFloats(src + i, values);
        for (int k = 0; k < width.value; ++k) {
            values[k] = activated<kActivation>(values[k]);
        }
        storeFloats(dst + i, values);
    });
}

template<class T, Activation kActivation>
__global__ void __launch_bounds__(kBlockThreads)
    elementwiseBackwardKernel(std::int64_t count, const T* src, const T* diffDst, T* diffSrc)
{
    waitForKernelBefore();
    forEachValue<kVectorValues<T>>(count, true, [&](auto width, std::int64_t i) {
        float values[width.value];
        float diffs[width.value];
        loadFloats(src + i, values);
        loadFloats(diffDst + i, diffs);
        for (int k = 0; k < width.value; ++k) {
            diffs[k] = diffOf<kActivation>(values[k], diffs[k]);
        }
        storeFloats(diffSrc + i, diffs);
    });
}

/// Calls body(a T, a constant of the activation).
template<class Body>
void withKinds(const ElementwiseTask& task, Body body)
{
    withType(task.type, [&](auto zero) {
        if (task.activation == Activation::Sigmoid) {
            body(zero, std::integral_constant<Activation, Activation::Sigmoid>{});
        } else {
            body(zero, std::integral_constant<Activation, Activation::Relu>{});
        }
    });
}

template<class T>
LaunchShape shapeOf(std::int64_t count)
{
    return shapeFor(divideUp<std::int64_t>(count, kVectorValues<T>), kFullGrid);
}

} // namespace

void elementwiseForward(
    cudaStream_t stream, const ElementwiseTask& task, const std::byte* src, std::byte* dst)
{
    withKinds(task, [&](auto zero, auto activation) {
        using T = decltype(zero);
        launch(
            elementwiseForwardKernel<T, activation.value>, shapeOf<T>(task.count), stream,
            task.count, reinterpret_cast<const T*>(src), reinterpret_cast<T*>(dst));
    });
}

void elementwiseBackward(
    cudaStream_t stream, const ElementwiseTask& task, const ElementwiseDiff& arrays)
{
    withKinds(task, [&](auto zero, auto activation) {
        using T = decltype(zero);
        launch(
            elementwiseBackwardKernel<T, activation.value>, shapeOf<T>(task.count), stream,
            task.count, reinterpret_cast<const T*>(arrays.src),
            reinterpret_cast<const T*>(arrays.diffDst), reinterpret_cast<T*>(arrays.diffSrc));
    });
}

} // namespace lockstep::cuda
