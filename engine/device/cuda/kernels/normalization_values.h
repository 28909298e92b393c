// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/joined_parts.h"
#include "device/cuda/arrays/vector_access.h"
#include "device/cuda/kernels/normalization_kernel.h"

#include <cmath>

// What the kernels of a normalisation have in common.
namespace lockstep::cuda {

/// Factors of the channels of one thread.
template<int kValues>
struct ChannelFactors
{
    float mean[kValues];
    float scale[kValues]; ///< gamma / sqrt(variance + epsilon)
    float beta[kValues];
    bool hasRelu;

    __device__ ChannelFactors(
        const NormalizationFactors& factors, std::int64_t group, std::int64_t channel)
        : hasRelu(factors.hasRelu)
    {
        for (int k = 0; k < kValues; ++k) {
            const std::int64_t place = group * factors.groupStride + channel + k;
            mean[k] = factors.mean[place];
            scale[k] = (factors.gamma != nullptr ? factors.gamma[channel + k] : 1.0F)
                       / std::sqrt(factors.variance[place] + factors.epsilon);
            beta[k] = factors.beta[channel + k];
        }
    }
    /// Before the activation. The same bits in both directions.
    [[nodiscard]] __device__ float normalized(int k, float x) const
    {
        return std::fma(x - mean[k], scale[k], beta[k]);
    }
    /// The gradient before the activation of the one behind it.
    [[nodiscard]] __device__ float diff(int k, float x, float diffDst) const
    {
        return hasRelu ? throughRelu(normalized(k, x), diffDst) : diffDst;
    }
};

/// The gradient of dst at a channel of a group's first position.
template<class T>
[[nodiscard]] __device__ const T* diffsOf(
    const NormalizationShape& shape, const std::byte* diffDst, std::int64_t group,
    std::int64_t channel)
{
    return reinterpret_cast<const T*>(diffDst) + group * shape.positions * shape.dstStride
           + channel;
}

/// A value and the gradient of what becomes of it.
template<class T, int kValues>
struct ValueAndDiff
{
    Vector<T, kValues> value;
    Vector<T, kValues> diff;
};

// Both reductions go the same way: every block leaves two numbers a channel of its part of the
// positions in the scratch memory; then these are joined.

/// Where the two numbers of a part lie.
[[nodiscard]] __device__ inline std::int64_t partOf(
    const NormalizationShape& shape, std::int64_t group, std::int64_t part, std::int64_t parts)
{
    return (group * parts + part) * 2 * shape.channels;
}

} // namespace lockstep::cuda
