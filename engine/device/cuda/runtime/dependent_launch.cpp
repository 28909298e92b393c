// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/runtime/dependent_launch.h"

#include "device/cuda/runtime/cuda_check.h"

#include <mutex>
#include <set>

namespace lockstep::cuda {
namespace {

std::mutex mutex;
std::set<cudaStream_t> streams; ///< the dependent ones

} // namespace

void setDependent(cudaStream_t stream, bool isDependent)
{
    const std::lock_guard lock(mutex);
    if (isDependent) {
        streams.insert(stream);
    } else {
        streams.erase(stream);
    }
}

bool isDependent(cudaStream_t stream)
{
    const std::lock_guard lock(mutex);
    return streams.contains(stream);
}

bool canWait(const void* kernel)
{
    constexpr int kFirstVersion = 90; // compute capability 9.0
    cudaFuncAttributes attributes{};
    checkCuda(cudaFuncGetAttributes(&attributes, kernel), "asking what a kernel was compiled for");
    return attributes.ptxVersion >= kFirstVersion;
}

} // namespace lockstep::cuda
