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
    int first;
    int last;
};

std::size_t lowestFreeOffset(const std::vector<Placed>& placed, const BufferRequest& request)
{
    std::size_t offset = 0;
    // `placed` is sorted by begin, so one walk finds the first gap.
    for (const Placed& other : placed) {
        const bool livesTogether = other.first <= request.last && request.first <= other.last;
        if (!livesTogether) {
            continue;
        }
        if (offset + aligned(request.bytes) <= other.begin) {
            break;
        }
        offset = std::max(offset, other.end);
    }
    return offset;
}

} // namespace

MemoryPlan planMemory(const std::vector<BufferRequest>& requests)
{
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return requests[a].bytes > requests[b].bytes; });
    MemoryPlan plan;
    plan.offsets.resize(requests.size());
    std::vector<Placed> placed;
    for (const std::size_t index : order) {
        const BufferRequest& request = requests[index];
        if (request.bytes == 0) {
            continue;
        }
        const std::size_t offset = lowestFreeOffset(placed, request);
        const Placed here{offset, offset + aligned(request.bytes), request.first, request.last};
        placed.insert(std::ranges::upper_bound(placed, here.begin, {}, &Placed::begin), here);
        plan.offsets[index] = offset;
        plan.bytes = std::max(plan.bytes, here.end);
    }
    return plan;
}

} // namespace lockstep
