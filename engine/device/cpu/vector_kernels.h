// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

#include <cstdint>
#include <span>

// Loops over long arrays, compiled for several instruction sets; the best one is taken at run time.
// Results depend on the values and the machine only, never on threads or on alignment.
namespace lockstep::cpu {

/// See Device::average.
bool averageRange(
    std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count, float* dst);

/// See Device::update.
void updateRange(
    const UpdateRule& rule, std::int64_t count, const float* gradient, float* weights,
    float* average);

/// See Device::sumOfSquares.
double sumOfSquaresOf(std::span<const float> values);

/// value[i] = 0 where value[i] is not greater than 0; a NaN stays one. (oneDNN's own ReLU makes it
/// 0, and a network whose weights are no longer numbers would go on with a finite loss.)
void reluForward(float* value, std::int64_t count);

/// diff[i] = 0 where value[i] is not greater than 0; a NaN gradient stays where the value is NaN.
void reluBackward(const float* value, float* diff, std::int64_t count);

} // namespace lockstep::cpu
