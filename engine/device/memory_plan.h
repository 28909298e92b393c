// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace lockstep {

/// Where every buffer lies in one block of `bytes` bytes; offsets are multiples of 256.
struct MemoryPlan
{
    std::vector<std::size_t> offsets;
    std::size_t bytes = 0;
};

/// Places buffers so that those alive at the same moment never overlap: largest first, each at the
/// lowest offset that is free during its life. `liveTogether` tells of two buffers, given by their
/// numbers, whether they must not overlap.
MemoryPlan planMemory(
    const std::vector<std::size_t>& bytes,
    const std::function<bool(std::size_t, std::size_t)>& liveTogether);

} // namespace lockstep
