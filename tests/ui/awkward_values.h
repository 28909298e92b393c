// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/series_store.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace lockstep::ui {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Values of all magnitudes and signs, one in 50 not finite.
inline std::vector<float> awkwardValues(std::size_t count, std::mt19937& random)
{
    std::normal_distribution<float> normal;
    std::uniform_int_distribution<int> die(0, 149);
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        const int roll = die(random);
        const float value = normal(random) * std::pow(10.0F, static_cast<float>(roll % 7 - 3));
        values.push_back(roll == 0 ? kNan : roll == 1 ? kInfinity : roll == 2 ? -kInfinity : value);
    }
    return values;
}

/// As the charts smooth a loss.
inline Series seriesOf(const std::vector<float>& values)
{
    Series series(Smoothing::Line);
    for (const float value : values) {
        series.append(value);
    }
    return series;
}

} // namespace lockstep::ui
