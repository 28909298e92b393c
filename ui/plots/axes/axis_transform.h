// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <limits>

namespace lockstep::ui {

/// How far along an axis a position lies: as far as it says, or as its logarithm. On a logarithmic
/// axis 0 and what is below it lie infinitely far to the left.
struct AxisTransform
{
    bool isLogarithmic = false;

    [[nodiscard]] double toLength(double position) const
    {
        if (!isLogarithmic) {
            return position;
        }
        return position > 0.0 ? std::log(position) : -std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] double toPosition(double length) const
    {
        return isLogarithmic ? std::exp(length) : length;
    }
};

} // namespace lockstep::ui
