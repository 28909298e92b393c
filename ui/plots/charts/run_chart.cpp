// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/run_chart.h"

#include "bridge/series/run_series.h"
#include "models/table_model.h"
#include "plots/view/plot_view.h"

#include <QLocale>

#include <cmath>

namespace lockstep::ui {
namespace {

const ValueFormat kFourDecimals{1.0, 4, {}};
const ValueFormat kExampleRate{1.0, 0, {}, rateDecimals};

QString throughputCaption(const RunSeries& run)
{
    const SeriesStore& steps = run.steps();
    const double rate = run.examplesPerSecond().value_or(
        steps.series(RunSeries::kExamplesPerSecond).smoothedAt(steps.size() - 1));
    if (std::isnan(rate)) {
        return PlotView::tr("not known");
    }
    const double stepSeconds = run.towers() * run.batchPerTower() / rate;
    const QString divisor =
        run.towers() == 1 ? PlotView::tr("1 tower") : PlotView::tr("%1 towers").arg(run.towers());
    return PlotView::tr("%1 examples/s · %2 ms/step · %3 s/batch (step ÷ %4)")
        .arg(
            numberText(rate, kExampleRate), numberText(1000.0 * stepSeconds, {1.0, 1, {}}),
            numberText(stepSeconds / run.towers(), {1.0, 4, {}}), divisor);
}

/// Of the test set, by the weights as they are and by their moving averages.
template<int raw, int average>
std::vector<Curve> testCurves(const RunSeries& run)
{
    const SeriesStore& tests = run.evaluations();
    return {
        {&tests, raw, PlotView::tr("test, raw"), CurveKind::Points, Ink::Accent, 0, false},
        {&tests, average, PlotView::tr("test, moving average"), CurveKind::Points, Ink::Text, 0,
         false}};
}

std::vector<Curve> accuracyCurves(const RunSeries& run)
{
    std::vector<Curve> curves;
    if (!run.isRecorded()) {
        curves = testCurves<RunSeries::kTestAccuracy, RunSeries::kMovingAverageAccuracy>(run);
    }
    curves.insert(
        curves.begin(), {&run.steps(), RunSeries::kTrainAccuracy, PlotView::tr("train batch"),
                         CurveKind::Plain, Ink::Muted, 0, false});
    return curves;
}

template<int series>
std::vector<Curve> testsBehind(const std::vector<PlotOverlay>& overlays)
{
    std::vector<Curve> curves = curvesBehind(overlays, &OverlaySeries::tests, series);
    for (Curve& curve : curves) {
        curve.kind = CurveKind::OverlayPoints;
    }
    return curves;
}

} // namespace

std::vector<Curve> curvesBehind(
    const std::vector<PlotOverlay>& overlays, const SeriesStore& (OverlaySeries::*store)() const,
    int series)
{
    std::vector<Curve> curves;
    for (const PlotOverlay& overlay : overlays) {
        const SeriesStore& figures = (overlay.series->*store)();
        if (!overlay.isAbandoned && figures.size() > 0) {
            curves.push_back(overlayCurve(overlay, figures, series));
        }
    }
    return curves;
}

RunChartSpecification throughputChart()
{
    return {
        .name = "throughput_chart",
        .title = PlotView::tr("Throughput"),
        .format = kExampleRate,
        .floor = 0.0,
        .curves =
            [](const RunSeries& run) {
                return std::vector<Curve>{
                    {&run.steps(), RunSeries::kExamplesPerSecond, PlotView::tr("examples/s"),
                     CurveKind::Plain, Ink::Accent}};
            },
        .behind =
            [](const std::vector<PlotOverlay>& overlays) {
                return curvesBehind(
                    overlays, &OverlaySeries::losses, OverlaySeries::kExamplesPerSecond);
            },
        .caption = throughputCaption,
        .meaning = PlotView::tr("examples/s = global batch ÷ step seconds, global batch = "
                                "towers × batch per tower.\n"
                                "s/batch = step seconds ÷ towers: the classic figure, the time "
                                "per tower batch.")};
}

RunChartSpecification accuracyChart()
{
    return {
        .name = "accuracy_chart",
        .title = PlotView::tr("Accuracy"),
        .format = {100.0, 1, PlotView::tr(" %")},
        .floor = 0.0,
        .curves = accuracyCurves,
        .behind = testsBehind<OverlaySeries::kAccuracy>,
        .meaning = PlotView::tr(
            "Share of examples whose most likely class is the right one (classically: "
            "precision @ 1).\n"
            "Train batch: before its update, distorted as it is. Test: of the whole set, raw and "
            "moving-average weights.")};
}

RunChartSpecification testLossChart()
{
    return {
        .name = "test_loss_chart",
        .title = PlotView::tr("Test loss"),
        .format = kFourDecimals,
        .curves = testCurves<RunSeries::kTestLoss, RunSeries::kMovingAverageLoss>,
        .behind = testsBehind<OverlaySeries::kTestLoss>,
        .meaning = PlotView::tr(
            "Mean loss over the whole test set, of several objectives each by its weight, "
            "without weight decay.\n"
            "Where it rises while the loss of training still falls, the network learns the "
            "training set by heart.")};
}

RunChartSpecification learningRateChart()
{
    return {
        .name = "learning_rate_chart",
        .title = PlotView::tr("Learning rate"),
        .format = {1.0, 6, {}},
        .floor = 0.0,
        .curves =
            [](const RunSeries& run) {
                return std::vector<Curve>{
                    {&run.steps(), RunSeries::kLearningRate, PlotView::tr("learning rate"),
                     CurveKind::Rolling, Ink::Accent, 0, false}};
            },
        .caption =
            [](const RunSeries& run) {
                const SeriesStore& steps = run.steps();
                const float rate = steps.series(RunSeries::kLearningRate).at(steps.size() - 1);
                return std::isnan(rate) ? PlotView::tr("not known")
                                        : QLocale().toString(rate, 'g', 4);
            },
        .meaning = PlotView::tr("As used in each step's update. L: the logarithm.")};
}

RunChartSpecification averagePrecisionChart()
{
    return {
        .name = "average_precision_chart",
        .title = PlotView::tr("Average precision"),
        .format = kFourDecimals,
        .floor = 0.0,
        .ceiling = 1.0,
        .curves =
            testCurves<RunSeries::kAveragePrecision, RunSeries::kMovingAverageAveragePrecision>,
        .behind = testsBehind<OverlaySeries::kAveragePrecision>,
        .meaning = PlotView::tr(
            "AP = Σ (Rₙ − Rₙ₋₁) · Pₙ over all thresholds of the images' scores, step-wise, "
            "without interpolation.\n"
            "Of the whole test set, with the weights as they are and with their moving "
            "average.")};
}

} // namespace lockstep::ui
