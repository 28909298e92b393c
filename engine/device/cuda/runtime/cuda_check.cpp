// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/cuda_check.h"

#include "base/error.h"

namespace lockstep::cuda {

void checkCuda(cudaError_t result, const std::string& what)
{
    if (result == cudaSuccess) {
        return;
    }
    cudaGetLastError();
    fail(
        result == cudaErrorMemoryAllocation ? ErrorCode::OutOfMemory : ErrorCode::Device,
        "cuda: {}: {} ({})", what, cudaGetErrorString(result), cudaGetErrorName(result));
}

} // namespace lockstep::cuda
