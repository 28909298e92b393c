// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/cuda/runtime/cuda_layout.h"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace lockstep::cuda {

/// Enqueues sum[i] += part[i]; both begin at a multiple of 16 bytes. Errors as checkCuda.
void addTensor(cudaStream_t stream, const TensorPlan& plan, std::byte* sum, const std::byte* part);

/// See TowerSumTask. Enqueues; errors as checkCuda.
void addUpTowers(cudaStream_t stream, const TowerSumTask& task);

} // namespace lockstep::cuda
