// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/run_chart.h"

#include "bridge/series/run_series.h"
#include "plots/charts/last_tower_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

const ValueFormat kWhole{1.0, 0, {}};
const ValueFormat kFourDecimals{1.0, 4, {}};

ValueFormat percentFormat()
{
    return {100.0, 1, PlotView::tr(" %")};
}

QString throughputCaption(const RunSeries& run)
{
    const SeriesStore& steps = run.steps();
    const double rate = steps.series(RunSeries::kExamplesPerSecond).smoothedAt(steps.size() - 1);
    if (std::isnan(rate)) {
        return PlotView::tr("not known");
    }
    const double stepSeconds = run.towers() * run.batchPerTower() / rate;
    const QString divisor =
        run.towers() == 1 ? PlotView::tr("1 tower") : PlotView::tr("%1 towers").arg(run.towers());
    return PlotView::tr("%1 examples/s · %2 ms/step · %3 s/batch (step ÷ %4)")
        .arg(
            numberText(rate, kWhole), numberText(1000.0 * stepSeconds, {1.0, 1, {}}),
            numberText(stepSeconds / run.towers(), {1.0, 4, {}}), divisor);
}

std::vector<Curve> biasCurves(const RunSeries& run)
{
    std::vector<Curve> curves{
        {&run.steps(), RunSeries::kLastMinusMean, PlotView::tr("each step"), CurveKind::Faint,
         Ink::Tower, run.towers() - 1, false},
        {&run.steps(), RunSeries::kBias, PlotView::tr("mean so far"), CurveKind::Rolling, Ink::Text,
         0, false}};
    curves.back().band = std::pair(RunSeries::kBiasBandLow, RunSeries::kBiasBandHigh);
    curves.back().bandName = PlotView::tr("±2 SE");
    return curves;
}

QString biasExplanation(const RunSeries* run)
{
    QString meaning = PlotView::tr(
        "d = loss of the last tower, which the classic scripts print, − mean of all N towers.\n"
        "Thin: d, averaged over the steps around each. Thick: its mean over the run so far.\n"
        "Grey: 0 ± 2 standard errors (SE) of that mean, √(Var(d) ÷ steps), or that of the means\n"
        "of 32 steps each where it is larger. A line outside of it: the last tower's data are not\n"
        "like the others'. The y axis fits all but their beginning; O fits that, too.\n"
        "Independent towers: Var(d) = σ² (1 − 1/N), σ² that of a tower's loss.");
    if (run == nullptr || run->towers() == 1) {
        return meaning;
    }
    return meaning + QStringLiteral("\n\n") + patienceText(*run) + QStringLiteral("\n\n")
           + missedFaultText(run->towers());
}

std::vector<Curve> variationCurves(const RunSeries& run)
{
    std::vector<Curve> curves{
        {&run.steps(), RunSeries::kVarianceRatio, PlotView::tr("Var(last) ÷ Var(mean)"),
         CurveKind::Rolling, Ink::Tower, run.towers() - 1, false}};
    curves.back().band = std::pair(RunSeries::kVarianceRatioLow, RunSeries::kVarianceRatioHigh);
    curves.back().bandName = PlotView::tr("independent towers");
    return curves;
}

QString variationExplanation(const RunSeries* run)
{
    QString meaning = PlotView::tr(
        "How much more the last tower's loss varies than the mean of all N towers, over the "
        "latest 1,024 steps:\nvariances about straight lines through 32 steps each, so that "
        "neither the fall of the loss nor a jump counts.\nExpected of batches of B distinct "
        "examples out of M: N · [1 − (B−1)/(M−1)] ÷ [1 − (N·B−1)/(M−1)], about N.\nBand: how "
        "far chance alone moves independent towers from it over this many steps. At 1: all "
        "towers get the same data.\nWhere the loss clearly moves for all at once (a high "
        "learning rate), that is left out: 1 + Var(last − mean) ÷ (s² ÷ N).");
    const LossVariances now = run == nullptr ? LossVariances{} : run->lastTower().variances();
    if (std::isnan(now.mean)) {
        return meaning;
    }
    const ValueFormat format{1.0, 6, {}};
    return meaning + QStringLiteral("\n\n")
           + PlotView::tr(
                 "Var(mean) = %1. The towers of a step, s² ÷ N with s² = Σ(lossᵢ − mean)² ÷ (N−1), "
                 "predict %2.")
                 .arg(numberText(now.mean, format), numberText(now.predicted, format));
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

/// The newest value of each.
QString captionOf(const std::vector<Curve>& curves, const ValueFormat& format)
{
    QStringList parts;
    for (const Curve& curve : curves) {
        const std::int64_t newest = curve.store->size() - 1;
        if (newest >= 0) {
            parts << QStringLiteral("%1 %2").arg(
                curve.name, numberText(curve.series().smoothedAt(newest), format));
        }
    }
    return parts.join(QStringLiteral(" · "));
}

/// Of what the run has left behind only the losses are kept.
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

template<int series>
std::vector<Curve> testsBehind(const std::vector<PlotOverlay>& overlays)
{
    std::vector<Curve> curves = curvesBehind(overlays, &OverlaySeries::tests, series);
    for (Curve& curve : curves) {
        curve.kind = CurveKind::OverlayPoints;
    }
    return curves;
}

/// Of runs with several towers.
template<int series>
std::vector<Curve> lastTowersBehind(const std::vector<PlotOverlay>& overlays)
{
    std::vector<PlotOverlay> shown = overlays;
    std::erase_if(shown, [](const auto& overlay) { return !overlay.series->hasTowers(); });
    std::vector<Curve> curves = curvesBehind(shown, &OverlaySeries::figures, series);
    std::ranges::for_each(curves, [](Curve& curve) { curve.isSettling = true; });
    return curves;
}

} // namespace

RunChart::RunChart(XRange& range, RunChartSpecification specification, QWidget* parent)
    : PlotView(range, parent), m_specification(std::move(specification))
{
    setObjectName(QLatin1String(m_specification.name));
    setTitle(m_specification.title);
    setLimits(m_specification.floor, m_specification.ceiling);
    setValueFormat(m_specification.format);
}

void RunChart::setRun(const RunSeries* run)
{
    m_run = run;
    const bool isAlone =
        run != nullptr && run->towers() == 1 && !m_specification.ofOneTower.isEmpty();
    const bool hasCurves = run != nullptr && !isAlone;
    setEmptyState({isAlone ? m_specification.ofOneTower : QString()});
    setReferenceLines(
        hasCurves && m_specification.expected
            ? std::vector<ReferenceLine>{{m_specification.expected(*run)}}
            : std::vector<ReferenceLine>());
    setCurves(hasCurves ? m_specification.curves(*run) : std::vector<Curve>());
}

RunChartSpecification throughputChart()
{
    return {
        .name = "throughput_chart",
        .title = PlotView::tr("Throughput"),
        .format = kWhole,
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
        .explanation =
            [](const RunSeries* /*run*/) {
                return PlotView::tr("examples/s = global batch ÷ step seconds, global batch = "
                                    "towers × batch per tower.\n"
                                    "s/batch = step seconds ÷ towers: the classic figure, the time "
                                    "per tower batch.");
            }};
}

RunChartSpecification biasChart()
{
    return {
        .name = "bias_chart",
        .title = PlotView::tr("Last tower − mean"),
        .format = {1.0, 4, {}},
        .ofOneTower = PlotView::tr("One tower: its loss is the mean"),
        .expected = [](const RunSeries& /*run*/) { return 0.0; },
        .curves = biasCurves,
        .behind = lastTowersBehind<OverlaySeries::kBias>,
        .caption = biasText,
        .judgement = biasJudgement,
        .explanation = biasExplanation};
}

RunChartSpecification variationChart()
{
    return {
        .name = "variation_chart",
        .title = PlotView::tr("Var(last) ÷ Var(mean)"),
        .format = {1.0, 2, {}},
        .floor = 0.0,
        .ofOneTower = PlotView::tr("With one tower there is nothing to compare"),
        .expected = [](const RunSeries& run) { return static_cast<double>(run.towers()); },
        .curves = variationCurves,
        .behind = lastTowersBehind<OverlaySeries::kVarianceRatio>,
        .caption = variationText,
        .judgement = variationJudgement,
        .explanation = variationExplanation};
}

RunChartSpecification accuracyChart()
{
    return {
        .name = "accuracy_chart",
        .title = PlotView::tr("Accuracy"),
        .format = percentFormat(),
        .floor = 0.0,
        .ceiling = 1.0,
        .curves = accuracyCurves,
        .behind = testsBehind<OverlaySeries::kAccuracy>,
        .caption =
            [](const RunSeries& run) { return captionOf(accuracyCurves(run), percentFormat()); },
        .explanation =
            [](const RunSeries* /*run*/) {
                return PlotView::tr(
                    "Share of examples whose most likely class is the right one (classically: "
                    "precision @ 1).\n"
                    "Train batch: of each step's examples, before its update, distorted as they "
                    "are.\n"
                    "Test: of the whole test set, with the weights as they are and with their "
                    "moving "
                    "average.");
            }};
}

RunChartSpecification testLossChart()
{
    constexpr auto curves = testCurves<RunSeries::kTestLoss, RunSeries::kMovingAverageLoss>;
    return {
        .name = "test_loss_chart",
        .title = PlotView::tr("Test loss"),
        .format = kFourDecimals,
        .curves = curves,
        .behind = testsBehind<OverlaySeries::kTestLoss>,
        .caption = [](const RunSeries& run) { return captionOf(curves(run), kFourDecimals); },
        .explanation =
            [](const RunSeries* /*run*/) {
                return PlotView::tr(
                    "Mean loss over the whole test set, of several objectives each by its weight, "
                    "without weight decay.\n"
                    "Where it rises while the loss of training still falls, the network learns the "
                    "training set by heart.");
            }};
}

RunChartSpecification averagePrecisionChart()
{
    constexpr auto curves =
        testCurves<RunSeries::kAveragePrecision, RunSeries::kMovingAverageAveragePrecision>;
    return {
        .name = "average_precision_chart",
        .title = PlotView::tr("Average precision"),
        .format = kFourDecimals,
        .floor = 0.0,
        .ceiling = 1.0,
        .curves = curves,
        .behind = testsBehind<OverlaySeries::kAveragePrecision>,
        .caption = [](const RunSeries& run) { return captionOf(curves(run), kFourDecimals); },
        .explanation =
            [](const RunSeries* /*run*/) {
                return PlotView::tr(
                    "AP = Σ (Rₙ − Rₙ₋₁) · Pₙ over all thresholds of the images' scores, step-wise, "
                    "without interpolation.\n"
                    "Of the whole test set, with the weights as they are and with their moving "
                    "average.");
            }};
}

} // namespace lockstep::ui
