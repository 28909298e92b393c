// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/mask_record.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::test {

/// Whether a tower's masks are those of another training of the same rows, whose values differ by
/// `allowed` at most, and whose inputs by `shade`.
inline bool areNear(
    const TowerMasks& one, const TowerMasks& other, double allowed, double shade = 0.0)
{
    const auto isNear = [](double a, double b, double most) {
        return std::abs(a - b) <= most * std::max(1.0, std::abs(b));
    };
    const auto areValues = [&](const auto& a, const auto& b, double most) {
        return std::ranges::equal(a, b, [&](float x, float y) {
            return isNear(static_cast<double>(x), static_cast<double>(y), most);
        });
    };
    return isNear(one.loss, other.loss, allowed)
           && std::ranges::equal(
               one.objectives, other.objectives,
               [&](const NamedLoss& a, const NamedLoss& b) {
                   return a.objective == b.objective && isNear(a.loss, b.loss, allowed);
               })
           && std::ranges::equal(
               one.images, other.images, [&](const ImageMasks& a, const ImageMasks& b) {
                   return a.example == b.example && a.name == b.name && a.label == b.label
                          && areValues(a.input, b.input, shade) && a.mask == b.mask
                          && areValues(a.probabilities, b.probabilities, allowed)
                          && isNear(a.score.value(), b.score.value(), allowed);
               });
}

} // namespace lockstep::test
