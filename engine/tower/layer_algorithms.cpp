// SPDX-License-Identifier: Apache-2.0
#include "tower/layer_algorithms.h"

#include "base/error.h"
#include "device/planning.h"

#include <algorithm>

namespace lockstep {
namespace {

// Neither occurs in what a device says of an algorithm.
const std::string kBetweenLayers = " | ";
const std::string kAfterLayer = ": ";

} // namespace

std::string algorithmsText(const std::map<std::string, std::string>& algorithms)
{
    std::string text;
    for (const auto& [layer, algorithm] : algorithms) {
        text.append(text.empty() ? "" : kBetweenLayers);
        text.append(layer).append(kAfterLayer).append(algorithm);
    }
    return text;
}

std::map<std::string, std::string> parseAlgorithms(const std::string& text)
{
    std::map<std::string, std::string> algorithms;
    if (text == kFirstAlgorithm) {
        return {{kEveryLayer, text}};
    }
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(kBetweenLayers, begin), text.size());
        const std::string one = text.substr(begin, end - begin);
        const std::size_t colon = one.find(kAfterLayer);
        if (colon == std::string::npos) {
            fail(
                ErrorCode::BadInput,
                "algorithms holds '{}', which names no layer; leave it empty to choose anew, or "
                "'first' for the library's first suggestions",
                one);
        }
        algorithms[one.substr(0, colon)] = one.substr(colon + kAfterLayer.size());
        begin = end + kBetweenLayers.size();
    }
    return algorithms;
}

void leaveUnmeasured(std::map<std::string, std::string>& algorithms)
{
    algorithms.try_emplace(kEveryHostLayer, kFirstAlgorithm);
}

} // namespace lockstep
