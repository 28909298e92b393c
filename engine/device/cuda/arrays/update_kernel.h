// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <cuda_runtime_api.h>

namespace lockstep::cuda {

/// See UpdateTask and UpdateRule. One block a chunk: chunks of 2048 values keep an H200 busy.
/// Enqueues and returns; all addresses are of the stream's device; errors as checkCuda. Does
/// nothing once a step was refused. By value, as the CPU does it (cpu/update_kernel.cpp): every
/// product that is added to something is fused.
void update(cudaStream_t stream, const UpdateTask& task);

} // namespace lockstep::cuda
