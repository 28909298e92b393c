// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/bfloat16.h"
#include "device/cuda/cuda_layout.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>

// Value by value over whole tensors. Every function enqueues and returns; all addresses are of the
// stream's device; errors as checkCuda.
namespace lockstep::cuda {

/// operands[i] = values[i] rounded.
void roundToOperands(cudaStream_t stream, std::span<const float> values, Bfloat16* operands);

/// sum[i] += part[i]; both begin at a multiple of 16 bytes.
void addTensor(cudaStream_t stream, const TensorPlan& plan, std::byte* sum, const std::byte* part);

} // namespace lockstep::cuda
