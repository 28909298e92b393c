// SPDX-License-Identifier: Apache-2.0
#include "metrics/scores/classified_image.h"

#include <algorithm>

namespace lockstep {

ClassifiedImage classifiedImage(
    std::int64_t example, std::int32_t label, std::span<const float> logits)
{
    ClassifiedImage image;
    image.example = example;
    image.label = label;
    const auto largest = std::ranges::max_element(logits);
    double sum = 0.0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - *largest);
    }
    if (!std::isfinite(sum)) {
        return image;
    }
    const float ofLabel = logits[static_cast<std::size_t>(label)];
    image.predicted = static_cast<std::int32_t>(largest - logits.begin());
    image.rank = static_cast<std::int32_t>(
        std::ranges::count_if(logits, [&](float logit) { return logit > ofLabel; }));
    image.probability = static_cast<float>(1.0 / sum);
    image.loss = static_cast<float>(std::log(sum) + *largest - static_cast<double>(ofLabel));
    return image;
}

} // namespace lockstep
