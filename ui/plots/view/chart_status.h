// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/curves/curve.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

class QFontMetricsF;

namespace lockstep::ui {

/// How much of a run a chart draws, and what of it has no place on it.
struct ChartStatus
{
    std::int64_t shownSteps = 0; ///< within the part of the x axis: all of them are drawn
    std::int64_t allSteps = 0;
    double smoothing = 0.0;
    bool isValuesZoomed = false; ///< a person chose which values to see: no others are counted
    // Values of the shown steps, of all curves of the run.
    std::int64_t above = 0;
    std::int64_t below = 0;
    std::int64_t notPositive = 0; ///< on a logarithmic axis
    std::int64_t notFinite = 0;
    std::int64_t firstNotFinite = -1; ///< its step
    std::int64_t leftOfAxis = 0;      ///< steps at or before 0 of a logarithmic x axis
};

/// Of the curves of the run that is shown.
ChartStatus chartStatus(
    const std::vector<Curve>& curves, const PlotScale& scale, bool isValuesZoomed);

/// What has no place on the chart: empty where all has.
QStringList exceptionsOf(const ChartStatus& status);
/// In full: "12,000 of 1,000,000 steps · smoothing 0.98 · 3 points off scale ↑".
QString statusText(const ChartStatus& status);
/// As much of it as fits, what is usual given up first.
QString fittingStatus(const ChartStatus& status, const QFontMetricsF& metrics, double width);
/// What the words mean, for a tool tip.
QString statusExplanation();

} // namespace lockstep::ui
