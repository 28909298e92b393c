// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/curves/curve.h"

#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// What a chart has to show of rows [first, end) so that a few outliers don't flatten the rest:
/// from the 0.5 % to the 99.5 % quantile, each moved outwards by three quarters of their distance,
/// then back to the last value within. So the first losses of a long run or a spike go off scale,
/// ordinary noise does not. On a logarithmic axis the same of the logarithms of what is above 0.
/// Of fewer than 40 values from quartile to quartile, each moved by ten times their distance, so
/// that only what goes beyond all measure is left out; of fewer than 6 all. The quantiles are those
/// of at most 4,096 rows, evenly spread.
Extent robustExtent(const Series& series, std::int64_t first, std::int64_t end, bool isLogarithmic);

/// What a chart's y axis always reaches, beside its values.
struct YLimits
{
    std::optional<double> floor;
    std::optional<double> ceiling;
    std::optional<double> expected;
    bool isRobust = false; ///< outliers may lie off scale, see robustExtent()
};

/// Bottom and top that show the values of the curves in the scale's part of the x axis, with a
/// little air, on round figures, so that it rarely changes while a run goes on.
std::pair<double, double> fittingYRange(
    const std::vector<Curve>& curves, const PlotScale& scale, const YLimits& limits);

} // namespace lockstep::ui
