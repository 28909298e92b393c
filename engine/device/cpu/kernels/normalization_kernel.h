// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"

#include <cstddef>
#include <cstdint>

// Passes of a normalisation over `positions` cells with `block` channels each, which lie one after
// the other; dst and its gradient may have gaps between them. Vectorised over channels and compiled
// for several instruction sets; single-threaded. Arrays of coefficients have one value for each
// channel.
namespace lockstep::cpu {

/// Cells of a tensor.
struct CellBlock
{
    Element element = Element::Float32;
    std::int64_t positions = 0;
    std::int64_t block = 0;
    std::int64_t dstStride = 0; ///< from a cell of dst, and of diffDst, to the next, in values
};

/// dst = scale * src + shift, then ReLU or not; a NaN stays one.
struct NormalizationLine
{
    const float* scale = nullptr;
    const float* shift = nullptr;
    bool isRelu = false;
};

/// diffSrc = slope * dy + ofSrc * src + constant, where dy is diffDst behind the ReLU.
struct NormalizationSlopes
{
    NormalizationLine line; ///< of forward, which tells where the ReLU was off
    const float* slope = nullptr;
    const float* ofSrc = nullptr;
    const float* constant = nullptr;
};

/// sums[c] = sum of the values of channel c, sums[block + c] = that of their squares. In double:
/// the variance is their difference.
void sumMoments(const CellBlock& cells, const std::byte* src, double* sums);

void normalize(
    const CellBlock& cells, const NormalizationLine& line, const std::byte* src, std::byte* dst);

/// Values and gradients at the same cells.
struct NormalizationTensors
{
    const std::byte* src = nullptr;
    const std::byte* diffDst = nullptr;
    std::byte* diffSrc = nullptr;
};

/// sums[c] = sum of dy, sums[block + c] = sum of dy * src; see NormalizationSlopes.
void sumGradients(
    const CellBlock& cells, const NormalizationLine& line, const NormalizationTensors& tensors,
    double* sums);

void normalizeBackward(
    const CellBlock& cells, const NormalizationSlopes& slopes, const NormalizationTensors& tensors);

} // namespace lockstep::cpu
