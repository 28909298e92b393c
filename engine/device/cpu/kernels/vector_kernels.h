// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"
#include "device/device.h"

#include <cstdint>
#include <span>

// Loops over long arrays, compiled for several instruction sets; the best one is taken at run time.
// Results depend on the values and the machine only, never on threads or on alignment.
namespace lockstep::cpu {

/// See HostDevice::average.
bool averageRange(
    std::span<const WeightedGradient> lanes, std::int64_t offset, std::int64_t count, float* dst);

/// To bfloat16: nearest, ties to even; a NaN stays one.
void roundRange(std::span<const float> values, std::byte* rounded);

/// See HostDevice::sumOfSquares.
double sumOfSquaresOf(std::span<const float> values);

/// value[i] = 0 where value[i] is not greater than 0; a NaN stays one. (oneDNN's own ReLU makes it
/// 0, and a network whose weights are no longer numbers would go on with a finite loss.)
void reluForward(Element element, std::byte* value, std::int64_t count);

/// diff[i] = 0 where value[i] is not greater than 0; a NaN gradient stays where the value is NaN.
void reluBackward(Element element, const std::byte* value, std::byte* diff, std::int64_t count);

/// sums[c] = the sum over the rows of values[row * columns + c], bfloat16.
void sumColumns(const std::byte* values, std::int64_t rows, std::int64_t columns, float* sums);

/// Where values are read that are added, and where their sums are written: one of them may be the
/// other.
struct AddedTensors
{
    const std::byte* left = nullptr;
    const std::byte* right = nullptr;
    std::byte* sum = nullptr;
};
/// sum[i] = left[i] + right[i], then ReLU or not; a NaN stays one.
void addRange(Element element, const AddedTensors& tensors, std::int64_t count, bool isRelu);

} // namespace lockstep::cpu
