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
    QString meaning;                                       ///< shown on hover
    std::function<QString(const RunSeries&)> remarks = {}; ///< on the run, behind the meaning
};

/// Examples per second, with the classic seconds per batch in words.
RunChartSpecification throughputChart();
/// How far the last tower's loss, which the classic scripts print, lies from the mean of all: step
/// by step, and on average, which stays near 0 unless the towers' data differ.
RunChartSpecification biasChart();
/// How much noisier than the mean the last tower's loss is, against the number of towers.
RunChartSpecification variationChart();
/// Share of examples that are classified correctly: training batches, and the test set with and
/// without the moving average of the weights.
RunChartSpecification accuracyChart();
/// Mean loss over the test set, with and without the moving average of the weights.
RunChartSpecification testLossChart();
/// The learning rate of each step's update.
RunChartSpecification learningRateChart();
/// Of networks that detect: average precision on the test set, likewise.
RunChartSpecification averagePrecisionChart();

/// A curve of each other run; of what the run has left behind only the losses are kept.
std::vector<Curve> curvesBehind(
    const std::vector<PlotOverlay>& overlays, const SeriesStore& (OverlaySeries::*store)() const,
    int series);

} // namespace lockstep::ui
