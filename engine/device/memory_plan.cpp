// SPDX-License-Identifier: Apache-2.0
#include "device/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

constexpr std::size_t kAlignmentBytes = 256;

std::size_t aligned(std::size_t bytes)
{
    return (bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

struct Placed
{
    std::size_t begin;
    std::size_t end;
    std::size_t buffer;
};

using LiveTogether = std::function<bool(std::size_t, std::size_t)>;

std::size_t lowestFreeOffset(
    const std::vector<Placed>& placed, const LiveTogether& liveTogether, const Placed& wanted)
{
    std::size_t offset = 0;
    // `placed` is sorted by begin, so one walk finds the first gap.
    for (const Placed& other : placed) {
        if (!liveTogether(other.buffer, wanted.buffer)) {
            continue;
        }
        if (offset + wanted.end <= other.begin) {
            break;
        }
        offset = std::max(offset, other.end);
    }
    return offset;
}

} // namespace

MemoryPlan planMemory(const std::vector<std::size_t>& bytes, const LiveTogether& liveTogether)
{
    std::vector<std::size_t> order(bytes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return bytes[a] > bytes[b]; });
    MemoryPlan plan;
    plan.offsets.resize(bytes.size());
    std::vector<Placed> placed;
    for (const std::size_t buffer : order) {
        if (bytes[buffer] == 0) {
            continue;
        }
        const std::size_t size = aligned(bytes[buffer]);
        const std::size_t offset = lowestFreeOffset(placed, liveTogether, {0, size, buffer});
        const Placed here{offset, offset + size, buffer};
        placed.insert(std::ranges::upper_bound(placed, here.begin, {}, &Placed::begin), here);
        plan.offsets[buffer] = offset;
        plan.bytes = std::max(plan.bytes, here.end);
    }
    return plan;
}

} // namespace lockstep
