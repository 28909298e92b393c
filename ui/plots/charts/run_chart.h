// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/run_chart_specification.h"

namespace lockstep::ui {

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
