// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/curves/curve.h"

#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// What a chart's y axis always reaches, beside its values.
struct YLimits
{
    std::optional<double> floor;
    std::optional<double> ceiling;
    std::vector<double> values;
    bool isRobust = false; ///< outliers may lie off scale, see robustExtent()
};

/// Bottom and top that show the values of the curves in the scale's part of the x axis, with a
/// little air, on round figures, so that it rarely changes while a run goes on.
std::pair<double, double> fittingYRange(
    const std::vector<Curve>& curves, const PlotScale& scale, const YLimits& limits);

} // namespace lockstep::ui
