// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/layer_spec.h"

#include <cstddef>
#include <cstdint>

namespace lockstep::cpu {

/// How the channels of one image lie in memory: in blocks of `block` channels, each block an image
/// of its own with `positions` cells. NHWC is one block with all channels.
struct ChannelLayout
{
    std::int64_t images = 0;
    std::int64_t positions = 0; ///< height x width
    std::int64_t blocks = 1;
    std::int64_t block = 0; ///< channels of a block; those beyond the last real channel hold zeros
};

/// Local response normalisation of lockstep::Lrn, vectorised over channels. Single-threaded.
/// oneDNN's float32 version for blocked layouts and a window of 9 is its reference code (84 to 90 %
/// of a cifar10 step), hence our own. The power is computed as 1 / (sqrt(s) * sqrt(sqrt(s))) where
/// beta is 0.75, else through exp and log. NaN in is NaN out.
/// `scratch` holds lrnScratchBytes() bytes.
void lrnForward(
    const Lrn& lrn, const ChannelLayout& layout, const float* src, float* dst, float* scratch);

/// With s = bias + alpha * window sum of x^2 and t = dy * x * s^(-beta - 1):
/// dx_c = dy_c * s_c^-beta - 2 * alpha * beta * x_c * (window sum of t around c).
void lrnBackward(
    const Lrn& lrn, const ChannelLayout& layout, const float* src, const float* diffDst,
    float* diffSrc, float* scratch);

/// Temporary memory of one call.
std::size_t lrnScratchBytes(const Lrn& lrn, const ChannelLayout& layout);

} // namespace lockstep::cpu
