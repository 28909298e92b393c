// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/axes/plot_scale.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kMostHeights = 3.0;
constexpr double kMostWidths = 1e4; // far away, still without rounding within the area

} // namespace

double PlotScale::shareOf(double position) const
{
    const AxisTransform x{isXLogarithmic};
    const double begin = x.toLength(first);
    const double share = (x.toLength(position) - begin) / (x.toLength(last) - begin);
    return std::clamp(share, -kMostWidths, kMostWidths);
}

double PlotScale::positionAt(double share) const
{
    const AxisTransform x{isXLogarithmic};
    const double begin = x.toLength(first);
    return x.toPosition(begin + share * (x.toLength(last) - begin));
}

double PlotScale::pixelX(double position) const
{
    return area.left() + shareOf(position) * area.width();
}

double PlotScale::positionAtPixel(double x) const
{
    return positionAt((x - area.left()) / area.width());
}

double PlotScale::pixelY(double value) const
{
    double share = 0.0;
    if (isLogarithmic) {
        share = value > 0.0 ? std::log(value / bottom) / std::log(top / bottom) : -kMostHeights;
    } else {
        share = (value - bottom) / (top - bottom);
    }
    return area.bottom() - std::clamp(share, -kMostHeights, kMostHeights) * area.height();
}

double PlotScale::valueAtPixel(double y) const
{
    const double share = (area.bottom() - y) / area.height();
    return isLogarithmic ? bottom * std::pow(top / bottom, share) : bottom + share * (top - bottom);
}

} // namespace lockstep::ui
