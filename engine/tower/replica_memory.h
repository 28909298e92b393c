// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lockstep {

/// What a buffer of a replica is for.
enum class BufferUse {
    Values,     ///< what a layer gives
    Gradient,   ///< of those values, from one of their readers
    Workspace,  ///< kept by a layer from its forward to its backward pass
    Scratchpad, ///< used by one layer after the other, within a call
};

/// "values", "gradient", "workspace", "scratchpad".
std::string toString(BufferUse use);

/// A buffer within a replica's memory. It holds something from its first moment to its last, both
/// included; moments count the passes of layers and objectives: see ReplicaMemory.
struct PlannedBuffer
{
    std::string layer; ///< or objective; empty: the scratchpad, which all of a branch use
    BufferUse use = BufferUse::Values;
    std::size_t bytes = 0;
    std::size_t offset = 0;   ///< buffers that lie at the same place are never alive together
    std::vector<int> moments; ///< at which it is used, in their order

    [[nodiscard]] int first() const { return moments.front(); }
    [[nodiscard]] int last() const { return moments.back(); }
    [[nodiscard]] bool sharesMemoryWith(const PlannedBuffer& other) const
    {
        return offset < other.offset + other.bytes && other.offset < offset + bytes;
    }
};

/// How the memory of a replica is shared out.
struct ReplicaMemory
{
    std::vector<std::string> nodes; ///< layers, then objectives
    std::vector<PlannedBuffer> buffers;
    std::size_t bytes = 0;         ///< of all buffers
    std::size_t gradientBytes = 0; ///< of the parameters' gradients, besides

    /// What the buffers would take if each had a place of its own.
    [[nodiscard]] std::size_t bytesWithoutReuse() const;
    /// "conv1 forward", "conv1 backward", "end": n nodes go forward at moments 0 .. n - 1 and
    /// backward, the last one first, at n .. 2n - 1.
    [[nodiscard]] std::string momentName(int moment) const;
};

} // namespace lockstep
