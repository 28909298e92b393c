// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace lockstep::cuda {

/// Adds a part of so many bytes to memory of `total` bytes: every part begins at a multiple of 256
/// bytes. Returns its offset.
inline std::size_t addPart(std::size_t& total, std::size_t bytes)
{
    constexpr std::size_t kAlignment = 256;
    const std::size_t offset = total;
    total += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return offset;
}

} // namespace lockstep::cuda
