// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace lockstep::cuda {

/// Sizes of the parts of one piece of memory; every part begins at a multiple of 256 bytes.
class MemoryParts
{
public:
    /// Offset of a part of so many bytes.
    std::size_t add(std::size_t bytes)
    {
        constexpr std::size_t kAlignment = 256;
        const std::size_t offset = m_total;
        m_total += (bytes + kAlignment - 1) / kAlignment * kAlignment;
        return offset;
    }
    [[nodiscard]] std::size_t total() const { return m_total; }

private:
    std::size_t m_total = 0;
};

} // namespace lockstep::cuda
