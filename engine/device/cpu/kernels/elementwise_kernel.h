// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"
#include "network/layer_spec.h"

#include <cstddef>
#include <cstdint>

// Activations of arrays, compiled for several instruction sets; single-threaded.
namespace lockstep::cpu {

/// dst[i] = activation(src[i]); a NaN stays one.
void activate(
    Activation activation, Element element, const std::byte* src, std::byte* dst,
    std::int64_t count);

/// What backward reads and writes at the same values.
struct ActivationTensors
{
    const std::byte* src = nullptr;
    const std::byte* diffDst = nullptr;
    std::byte* diffSrc = nullptr;
};

/// diffSrc[i] = diffDst[i] * the activation's slope at src[i].
void activateBackward(
    Activation activation, Element element, const ActivationTensors& tensors, std::int64_t count);

} // namespace lockstep::cpu
