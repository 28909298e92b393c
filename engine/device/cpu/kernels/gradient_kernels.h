// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

#include <cstdint>
#include <span>

// What the gradients of a step are measured with: sums in double, compiled for several instruction
// sets. Results depend on the values and the machine only, never on threads or on alignment.
namespace lockstep::cpu {

/// See HostDevice::gradientProducts.
GradientProducts productsOfRange(
    std::span<const float* const> lanes, std::int64_t offset, std::int64_t count,
    const float* mean);

/// See HostDevice::squaredDistance.
double squaredDistanceOf(std::span<const float> values, const float* others);

} // namespace lockstep::cpu
