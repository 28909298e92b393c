// SPDX-License-Identifier: Apache-2.0
#include "device/parameter_chunks.h"

#include <algorithm>

namespace lockstep {

std::vector<ParameterChunk> chunkParameters(
    const ParameterLayout& layout, const std::vector<bool>& chosen, std::int64_t most)
{
    std::vector<ParameterChunk> chunks;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (!chosen[i]) {
            continue;
        }
        for (std::int64_t first = 0; first < layout.counts[i]; first += most) {
            chunks.push_back(
                {static_cast<int>(i), layout.offsets[i] + first,
                 std::min(most, layout.counts[i] - first)});
        }
    }
    std::ranges::sort(chunks, {}, &ParameterChunk::offset);
    return chunks;
}

} // namespace lockstep
