// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"
#include "network/layer_spec.h"

#include <cstddef>

namespace lockstep::cpu {

/// A normalisation of one kind of tensor.
struct LrnWork
{
    Lrn lrn;
    ChannelLayout layout;
    bool isRelu = false; ///< src has yet to go through ReLU; diffSrc is that of the values before
};

/// Tensors of the backward pass, all in the same layout.
struct LrnGradients
{
    const std::byte* src = nullptr;
    const std::byte* diffDst = nullptr;
    std::byte* diffSrc = nullptr;
};

/// Local response normalisation of lockstep::Lrn, vectorised over channels, in float32 whatever the
/// tensors are in. Single-threaded. oneDNN's float32 version for blocked layouts and a window of 9
/// is its reference code (84 to 90 % of a cifar10 step), hence our own. Where beta is
/// 0.75, the power comes from two reciprocal square roots (the processor's estimates, refined),
/// else from exp and log. NaN in is NaN out, and so is an s beyond float32's range. `scratch` holds
/// lrnScratchBytes() bytes.
void lrnForward(const LrnWork& work, const std::byte* src, std::byte* dst, float* scratch);

/// With s = bias + alpha * window sum of x^2 and t = dy * x * s^(-beta - 1):
/// dx_c = dy_c * s_c^-beta - 2 * alpha * beta * x_c * (window sum of t around c).
void lrnBackward(const LrnWork& work, const LrnGradients& tensors, float* scratch);

/// Temporary memory of one call.
std::size_t lrnScratchBytes(const LrnWork& work);

} // namespace lockstep::cpu
