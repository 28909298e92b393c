// SPDX-License-Identifier: Apache-2.0
#include "averaging/gradient_buckets.h"

#include "device/parameter_chunks.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::int64_t kLeastValues = (std::int64_t{1} << 20U) / 4;

} // namespace

std::vector<GradientBucket> planBuckets(
    const NetworkSpec& network, const ParameterLayout& layout, int most)
{
    const std::int64_t enough = std::max(kLeastValues, layout.elements / most);
    std::vector<GradientBucket> buckets;
    std::int64_t begin = 0;
    for (auto layer = static_cast<int>(network.layers.size()); layer-- > 0;) {
        const auto& parameters = network.layers[static_cast<std::size_t>(layer)].parameters;
        if (parameters.empty()) {
            continue;
        }
        // Parameters lie in the order of the backward pass, so this layer ends where the next one
        // that has any begins.
        std::int64_t end = layout.elements;
        for (int before = layer; before-- > 0;) {
            const auto& next = network.layers[static_cast<std::size_t>(before)].parameters;
            if (!next.empty()) {
                end = layout.offsets[static_cast<std::size_t>(next.front())];
                break;
            }
        }
        if (end - begin >= enough || end == layout.elements) {
            buckets.push_back({begin, end - begin, layer});
            begin = end;
        }
    }
    if (!buckets.empty()) {
        buckets.back().firstLayer = 0;
    }
    return buckets;
}

std::int64_t pieceValues(std::int64_t bucketElements, int ranks)
{
    constexpr std::int64_t kShare = 8;
    constexpr std::int64_t kMostChunks = 4;
    const std::int64_t toFill = 2 * std::max<std::int64_t>(1, ranks - 1);
    return kHostChunk
           * std::clamp<std::int64_t>(
               bucketElements / (kShare * toFill * kHostChunk), 1, kMostChunks);
}

} // namespace lockstep
