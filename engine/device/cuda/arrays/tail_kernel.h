// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <cuda_runtime_api.h>

namespace lockstep::cuda {

/// See TailTask: what average(), check(), checkLosses(), update() and finish() do, in one kernel
/// with the same bits. Only the ranges of the chunks are averaged; statistics only with the weights
/// of their own. Enqueues and returns; all addresses are of the stream's device; errors as
/// checkCuda.
void endStep(cudaStream_t stream, const TailTask& task);

} // namespace lockstep::cuda
