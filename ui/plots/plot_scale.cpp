// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plot_scale.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kMostHeights = 3.0;

} // namespace

double PlotScale::pixelX(double position) const
{
    return area.left() + (position - first) / (last - first) * area.width();
}

double PlotScale::positionAtPixel(double x) const
{
    return first + (x - area.left()) / area.width() * (last - first);
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
