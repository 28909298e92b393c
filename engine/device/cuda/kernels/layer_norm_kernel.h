// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

// Layer normalisation (Ba et al., 2016) over the channels of each position, without gaps. Every
// function enqueues and returns; errors as checkCuda.
namespace lockstep::cuda {

struct LayerNormShape
{
    DataType type = DataType::Float32;
    std::int64_t positions = 0;
    std::int64_t channels = 0;
    float epsilon = 0.0F;
};

/// Mean and 1 / sqrt(variance + epsilon) of a position.
struct PositionMoments
{
    float mean;
    float scale;
};

/// dst = gamma * (src - mean) / sqrt(variance + epsilon) + beta; keeps the moments.
void layerNormForward(
    cudaStream_t stream, const LayerNormShape& shape, const std::byte* src, const float* gamma,
    const float* beta, std::byte* dst, PositionMoments* moments);

/// What the way back reads.
struct LayerNormDiff
{
    const std::byte* src = nullptr;
    const std::byte* diffDst = nullptr;
    const PositionMoments* moments = nullptr;
    const float* gamma = nullptr;
};
void layerNormBackward(
    cudaStream_t stream, const LayerNormShape& shape, const LayerNormDiff& arrays,
    std::byte* diffSrc);

/// For sums of parts of the positions.
[[nodiscard]] std::size_t layerNormScratchBytes(const LayerNormShape& shape);
/// Sums over the positions in float32 in an order that depends on the sizes only.
void layerNormParameterDiffs(
    cudaStream_t stream, const LayerNormShape& shape, const LayerNormDiff& arrays, float* scratch,
    float* diffGamma, float* diffBeta);

} // namespace lockstep::cuda
