// SPDX-License-Identifier: Apache-2.0
#include "ranks/ranks.h"

#include <algorithm>

namespace lockstep {

std::vector<std::string> gatheredTexts(Ranks& ranks, const std::string& own)
{
    const std::vector<std::size_t> sizes = gathered(ranks, own.size());
    const std::size_t most = *std::ranges::max_element(sizes);
    std::string padded = own;
    padded.resize(most);
    std::string all(most * sizes.size(), '\0');
    ranks.allGather(std::as_bytes(std::span(padded)), std::as_writable_bytes(std::span(all)));
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
        texts.push_back(all.substr(rank * most, sizes[rank]));
    }
    return texts;
}

std::string textFromFirst(Ranks& ranks, const std::string& text)
{
    std::string first = text;
    first.resize(fromFirst(ranks, text.size()));
    ranks.broadcast(std::as_writable_bytes(std::span(first)));
    return first;
}

} // namespace lockstep
