// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

// Streams whose own kernels begin while the one before ends (programmatic dependent launch): the
// launch itself is done by then. Whatever kernels of libraries do, each of ours waits for the whole
// of the one before. Any thread.
namespace lockstep::cuda {

void setDependent(cudaStream_t stream, bool isDependent);
[[nodiscard]] bool isDependent(cudaStream_t stream);

/// Whether the code of a kernel that runs on the current device has the wait: a newer device may
/// run what was compiled for an older one, where there is none.
[[nodiscard]] bool canWait(const void* kernel);

} // namespace lockstep::cuda
