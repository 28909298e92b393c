// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace lockstep::cuda {

/// A name of a kernel as a person writes it; as it is where it can't be read.
[[nodiscard]] std::string demangled(const char* name);

/// The name of the kernel that a node of a graph runs, of libraries too; empty: it runs none, or
/// the driver doesn't say.
[[nodiscard]] std::string kernelName(cudaGraphNode_t node);

} // namespace lockstep::cuda
