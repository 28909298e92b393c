// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace lockstep {

/// What a network that classifies says of one image of a test set. A plain value.
struct ClassifiedImage
{
    /// Of an image whose logits have no largest one: not a number, or infinite.
    static constexpr std::int32_t kNoClass = -1;

    std::int64_t example = 0; ///< number in its split
    std::int32_t label = 0;
    std::int32_t predicted = kNoClass; ///< class of the largest logit; of equal ones the first
    /// How many classes have a larger logit than the label; more than any class of kNoClass.
    std::int32_t rank = std::numeric_limits<std::int32_t>::max();
    float probability = std::numeric_limits<float>::quiet_NaN(); ///< of the predicted class
    float loss = std::numeric_limits<float>::quiet_NaN(); ///< -log of the label's probability

    [[nodiscard]] bool isCorrect() const { return predicted == label; }
    /// Whether the label is among the k most probable classes. Equal logits at the border count as
    /// inside, as with TensorFlow's in_top_k, which calls no logits that are not finite right
    /// either. isInTop(1) differs from isCorrect() only where several logits are the largest.
    [[nodiscard]] bool isInTop(std::int32_t k) const { return rank < k; }
    [[nodiscard]] double labelProbability() const { return std::exp(-static_cast<double>(loss)); }
};

/// Top-5 says something only of more classes than that.
inline constexpr std::int32_t kTopFive = 5;

/// What the logits of one image, one for each class, say of it. Worked out in float64. Needs
/// 0 <= label < logits.size(). Thread-safe.
ClassifiedImage classifiedImage(
    std::int64_t example, std::int32_t label, std::span<const float> logits);

} // namespace lockstep
