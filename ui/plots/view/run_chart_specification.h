// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/number_text.h"
#include "plots/curves/curve.h"

#include <functional>
#include <optional>
#include <vector>

namespace lockstep::ui {

/// What a chart of a run shows and says.
struct RunChartSpecification
{
    const char* name = ""; ///< the object's
    QString title;
    ValueFormat format = {};
    std::optional<double> floor = {}; ///< that the y axis always reaches
    std::optional<double> ceiling = {};
    /// Said instead, where one tower has nothing to be compared with; empty: it is shown, too.
    QString ofOneTower = {};
    std::function<double(const RunSeries&)> expected = {}; ///< a line across the chart
    std::function<std::vector<Curve>(const RunSeries&)> curves;
    /// Of other runs; empty: there are none.
    std::function<std::vector<Curve>(const std::vector<PlotOverlay>&)> behind = {};
    std::function<QString(const RunSeries&)> caption = {}; ///< empty: each curve's newest value
    /// Shown on hover: two lines at most with the remark on the run, which is one.
    QString meaning;
    std::function<QString(const RunSeries&)> remarks = {};
};

} // namespace lockstep::ui
