// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace lockstep {

/// A buffer that is needed from moment `first` to moment `last`, both included. Moments are any
/// increasing count; a replica uses the order in which its ops run.
struct BufferRequest
{
    std::size_t bytes = 0;
    int first = 0;
    int last = 0;
};

/// Where every buffer lies in one block of `bytes` bytes; offsets are multiples of 256.
struct MemoryPlan
{
    std::vector<std::size_t> offsets;
    std::size_t bytes = 0;
};

/// Places buffers so that those alive at the same moment never overlap: largest first, each at the
/// lowest offset that is free during its life.
MemoryPlan planMemory(const std::vector<BufferRequest>& requests);

} // namespace lockstep
