// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/runtime/cuda_layout.h"

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

// Batch normalisation (Ioffe and Szegedy, 2015) of values of positions x channels, 16-byte aligned;
// dst and its gradient may have gaps between their positions, and src has none. Every function
// enqueues and returns; errors as checkCuda. Sums are taken in an order that depends on the sizes
// only: within a part of the positions in float32, about a value of the part, then in float64.
namespace lockstep::cuda {

struct NormalizationShape
{
    DataType type = DataType::Float32;
    std::int64_t groups = 1;    ///< with moments of their own, one after the other; below 65536
    std::int64_t positions = 0; ///< of a group
    std::int64_t channels = 0;
    /// Values from a position of dst, and of its gradient, to the next: a multiple of 16 bytes, or
    /// `channels`.
    std::int64_t dstStride = 0;
};

/// dst = activation(gamma * (src - mean) / sqrt(variance + epsilon) + beta).
struct NormalizationFactors
{
    const float* mean = nullptr; ///< by channel, group after group
    const float* variance = nullptr;
    std::int64_t groupStride = 0; ///< to the next group's moments; 0: all groups have the same
    const float* gamma = nullptr; ///< by channel; null: 1
    const float* beta = nullptr;
    float epsilon = 0.0F;
    bool hasRelu = false; ///< a NaN stays one
};

void normalizeForward(
    cudaStream_t stream, const NormalizationShape& shape, const NormalizationFactors& factors,
    const std::byte* src, std::byte* dst);

/// What computeMoments() and sumDiffs() work in.
[[nodiscard]] std::size_t normalizationScratchBytes(const NormalizationShape& shape);
// Their tasks' counters: joinCounterBytes() of the channels, for one group only; null: parts of
// sums are joined by a kernel of its own.

struct MomentsTask
{
    const std::byte* src = nullptr;
    float* scratch = nullptr;
    std::uint32_t* counters = nullptr;
    // Either the moments, by group and channel, the variance divided by the number of positions;
    float* mean = nullptr;
    float* variance = nullptr;
    /// or, of one group, what can be added to that of others: sum(x) by channel, then sum(x^2).
    double* sums = nullptr;
};
void computeMoments(cudaStream_t stream, const NormalizationShape& shape, const MomentsTask& task);

/// Moments by channel from the sums over `positions` positions.
struct MomentSums
{
    const double* sums = nullptr;
    std::int64_t positions = 0;
    std::int64_t channels = 0;
};
void finishMoments(cudaStream_t stream, const MomentSums& sums, float* mean, float* variance);

/// What the parameters' gradients are written to; null: not wanted.
struct NormalizationGradients
{
    float* gamma = nullptr;
    float* beta = nullptr;
    // Take momentScale * sum over the groups of the moment.
    float* mean = nullptr;
    float* variance = nullptr;
    double momentScale = 0.0;
    double varianceScale = 1.0; ///< of the variance, besides
};

/// The gradient of a mean and a variance that depend on src, by group and channel.
struct MomentDiffs
{
    float* offset = nullptr; ///< mean over the positions of dy
    float* slope = nullptr;  ///< mean over the positions of dy * (x - mean) / (variance + epsilon)
};

struct DiffSumsTask
{
    const std::byte* src = nullptr;
    const std::byte* diffDst = nullptr;
    float* scratch = nullptr;
    std::uint32_t* counters = nullptr;
    NormalizationGradients gradients;
    MomentDiffs diffs; ///< null: not wanted
    /// Instead of `diffs`, of one group: sum(dy) by channel, then sum(dy * (x - mean)).
    double* sums = nullptr;
};
/// dy = diffDst where the activation lets it through.
void sumDiffs(
    cudaStream_t stream, const NormalizationShape& shape, const NormalizationFactors& factors,
    const DiffSumsTask& task);

void finishDiffs(
    cudaStream_t stream, const MomentSums& sums, const NormalizationFactors& factors,
    const MomentDiffs& diffs);

struct NormalizationDiff
{
    const std::byte* src = nullptr;
    const std::byte* diffDst = nullptr;
    MomentDiffs diffs; ///< null: the moments are constants
    std::byte* diffSrc = nullptr;
};
/// diffSrc = gamma / sqrt(variance + epsilon) * (dy - offset - (src - mean) * slope).
void normalizeBackward(
    cudaStream_t stream, const NormalizationShape& shape, const NormalizationFactors& factors,
    const NormalizationDiff& task);

} // namespace lockstep::cuda
