// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "network/layer_spec.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace lockstep::cuda {

/// A local response normalisation of NHWC tensors whose channels are not padded.
struct LrnShape
{
    DataType type = DataType::Float32;
    std::int64_t positions = 0; ///< examples x height x width
    int channels = 0;
};

/// Of the sums for a bias.
[[nodiscard]] std::size_t lrnScratchBytes(const LrnShape& shape);

// See lockstep::Lrn. Calculates in float32; NaN in is NaN out, in the windows of the value only.
// Both enqueue and return; errors as checkCuda. Tensors begin at multiples of 16 bytes. Fastest
// where the channels are a multiple of 16 bytes, at most 32 times that, and the radius is at most 4
// (float32) or 8 (bfloat16).

void lrnForward(
    cudaStream_t stream, const Lrn& lrn, const LrnShape& shape, const std::byte* src,
    std::byte* dst);

template<class T>
struct LrnGradients
{
    const T* src = nullptr;
    const T* diffDst = nullptr;
    T* diffSrc = nullptr; ///< may be diffDst where the fast way is taken; else not
};

/// With s = bias + alpha * window sum of x^2 and t = dy * x * s^(-beta - 1):
/// dx_c = dy_c * s_c^-beta - 2 * alpha * beta * x_c * (window sum of t around c).
/// Masked by src. `end.scratch`: lrnScratchBytes().
void lrnBackward(
    cudaStream_t stream, const Lrn& lrn, const LrnShape& shape,
    const LrnGradients<std::byte>& tensors, const GradientEnd& end);

} // namespace lockstep::cuda
