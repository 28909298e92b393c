// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

#include <cstddef>
#include <span>
#include <vector>

// Between the host's order of values and that of a GPU. On the host; called when a run begins, at
// checkpoints and in tests, not in steps.
namespace lockstep::cuda {

/// How the weights of a layer that reads `source` lie in the arena: convolution [out, height,
/// width, stored channels of src], fully connected [units, src as it lies in memory].
[[nodiscard]] StoredOrder storedOrder(const Layer& layer, const Layer& source, Precision precision);

/// Channels of a position in what a layer gives out.
[[nodiscard]] std::int64_t storedChannels(const Layer& layer, Precision precision);

/// Values of the host (examples x height x width x channels) as a tensor lies in memory, and back.
[[nodiscard]] std::vector<std::byte> toStored(
    const TensorPlan& plan, std::span<const float> values);
void fromStored(const TensorPlan& plan, std::span<const std::byte> stored, std::span<float> values);

} // namespace lockstep::cuda
