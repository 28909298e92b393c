// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace lockstep::cuda {

/// Throws Error(OutOfMemory) or Error(Device) with CUDA's name of the error: "cuda: <what>: …".
/// After a failed launch CUDA keeps the error; it is taken back here.
void checkCuda(cudaError_t result, const std::string& what);

} // namespace lockstep::cuda
