// SPDX-License-Identifier: Apache-2.0
#include "tower/replica_memory.h"

#include <array>

namespace lockstep {

std::string toString(BufferUse use)
{
    static constexpr std::array<const char*, 4> kNames{
        "values", "gradient", "workspace", "scratchpad"};
    return kNames.at(static_cast<std::size_t>(use));
}

std::size_t ReplicaMemory::bytesWithoutReuse() const
{
    std::size_t sum = 0;
    for (const PlannedBuffer& buffer : buffers) {
        sum += buffer.bytes;
    }
    return sum;
}

std::string ReplicaMemory::momentName(int moment) const
{
    const auto number = static_cast<std::size_t>(moment);
    const std::size_t count = nodes.size();
    if (number < count) {
        return nodes[number] + " forward";
    }
    return number < 2 * count ? nodes[2 * count - 1 - number] + " backward" : "end";
}

} // namespace lockstep
