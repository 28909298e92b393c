// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/elementwise_kernel.h"

#include "device/cuda/arrays/vector_access.h"

#include <cmath>

namespace lockstep::cuda {
namespace {

[[nodiscard]] __device__ float logistic(float x)
{
    return 1.0F / (1.0F + std::exp(-x));
}

/// x / 6 + 1 / 2, at least 0 and at most 1; a NaN stays one.
[[nodiscard]] __device__ float hardLogistic(float x)
{
    const float line = std::fma(x, 1.0F / 6.0F, 0.5F);
    return line < 0.0F ? 0.0F : line > 1.0F ? 1.0F : line;
}

/// Where a hard activation is not constant.
[[nodiscard]] __device__ bool isBetween(float x)
{
    return x > -3.0F && x < 3.0F;
}

/// The normal distribution.
[[nodiscard]] __device__ float phi(float x)
{
    constexpr float kRootOfHalf = 0.70710678F;
    return 0.5F * std::erfc(-x * kRootOfHalf);
}

template<Activation kActivation>
[[nodiscard]] __device__ float activated(float x)
{
    if constexpr (kActivation == Activation::Sigmoid) {
        return logistic(x);
    } else if constexpr (kActivation == Activation::Silu) {
        return x * logistic(x);
    } else if constexpr (kActivation == Activation::Gelu) {
        return x * phi(x);
    } else if constexpr (kActivation == Activation::HardSwish) {
        return x * hardLogistic(x);
    } else if constexpr (kActivation == Activation::HardSigmoid) {
        return hardLogistic(x);
    } else {
        return relu(x);
    }
}

template<Activation kActivation>
[[nodiscard]] __device__ float diffOf(float x, float diffDst)
{
    if constexpr (kActivation == Activation::Sigmoid) {
        // Both factors by themselves: 1 - sigmoid(x) of a large x would be 0.
        return diffDst * logistic(x) * logistic(-x);
    } else if constexpr (kActivation == Activation::Silu) {
        return diffDst * logistic(x) * std::fma(x, logistic(-x), 1.0F);
    } else if constexpr (kActivation == Activation::Gelu) {
        constexpr float kDensity = 0.39894228F; // of the normal distribution at 0
        return diffDst * std::fma(x, kDensity * std::exp(-0.5F * x * x), phi(x));
    } else if constexpr (kActivation == Activation::HardSwish) {
        return diffDst * (isBetween(x) ? std::fma(x, 1.0F / 3.0F, 0.5F) : hardLogistic(x));
    } else if constexpr (kActivation == Activation::HardSigmoid) {
        return isBetween(x) || std::isnan(x) ? diffDst * (1.0F / 6.0F) : 0.0F;
    } else {
        return throughRelu(x, diffDst);
    }
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

template<Activation kActivation>
using Constant = std::integral_constant<Activation, kActivation>;

/// Calls body(a T, a constant of the activation).
template<class Body>
void withKinds(const ElementwiseTask& task, Body body)
{
    withType(task.type, [&](auto zero) {
        switch (task.activation) {
        case Activation::Sigmoid:
            return body(zero, Constant<Activation::Sigmoid>{});
        case Activation::Silu:
            return body(zero, Constant<Activation::Silu>{});
        case Activation::Gelu:
            return body(zero, Constant<Activation::Gelu>{});
        case Activation::HardSwish:
            return body(zero, Constant<Activation::HardSwish>{});
        case Activation::HardSigmoid:
            return body(zero, Constant<Activation::HardSigmoid>{});
        case Activation::None:
        case Activation::Relu:
            break;
        }
        return body(zero, Constant<Activation::Relu>{});
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
