// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/pooling/max_pool_kernel.h"

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// A max pooling and a local response normalisation that follow each other, of tensors as those of
/// max_pool_kernel.h and lrn_kernel.h.
struct PoolAndNorm
{
    MaxPool pool;
    Lrn lrn;
    bool isPoolFirst = false;
};

/// Whether there are kernels for both at once; `inner` is the shape of what lies between them.
[[nodiscard]] bool isOneKernel(const PoolAndNorm& pair, const Shape& inner, DataType type);

// One kernel each, which gives the bits that the two give one after the other: what lies between
// them is rounded, but not moved through memory. Both enqueue and return; errors as checkCuda.

template<class T>
struct PoolAndNormValues
{
    const T* src = nullptr;
    T* inner = nullptr; ///< takes what was pooled, where that comes first
    T* dst = nullptr;
    PoolPlaces places;
};

void poolAndNormForward(
    cudaStream_t stream, const PoolAndNorm& pair, const PoolShape& shape,
    const PoolAndNormValues<std::byte>& values);

template<class T>
struct PoolAndNormGradients
{
    const T* normSrc = nullptr; ///< what was normalised: inner, or src
    const T* diffDst = nullptr;
    const std::uint8_t* places = nullptr;
    T* diffSrc = nullptr;
};

/// `end.scratch`: poolAndNormScratchBytes(). Where the pooling comes first, its places say whether
/// the gradient is masked.
void poolAndNormBackward(
    cudaStream_t stream, const PoolAndNorm& pair, const PoolShape& shape,
    const PoolAndNormGradients<std::byte>& tensors, const GradientEnd& end);

[[nodiscard]] std::size_t poolAndNormScratchBytes(const PoolShape& shape);

} // namespace lockstep::cuda
