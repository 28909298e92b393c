// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of the last tower, and how far its loss is from the mean of all: sentences about a run
// of two towers or more that has steps. Each is parts with " · " between them, the most telling
// first. Of cross-entropies: the classic scripts print the last tower's loss with weight decay in
// it.
#include "plots/charts/run_chart.h"

#include "bridge/series/run_series.h"
#include "plots/axes/number_text.h"
#include "plots/view/plot_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

QString signedNumber(double value, const ValueFormat& format)
{
    return (std::signbit(value) ? QStringLiteral("−") : QStringLiteral("+"))
           + numberText(std::abs(value), format);
}

QString ratioText(double ratio)
{
    return numberText(ratio, {1.0, 2, {}});
}

/// Smaller batches are single images: what their losses vary by is far from what the expected ratio
/// and its interval are made for, and some networks (SegDecNet) choose them in turn, not by chance.
constexpr int kLeastJudgedBatch = 4;

/// Of a recorded run the batch may not be known.
bool isJudged(const RunSeries& run)
{
    return run.batchPerTower() == 0 || run.batchPerTower() >= kLeastJudgedBatch;
}

/// No more decimals than the error has meaning.
ValueFormat formatFor(double error)
{
    const double digits = error > 0.0 ? 1.0 - std::floor(std::log10(error)) : 3.0;
    return {1.0, static_cast<int>(std::clamp(digits, 1.0, 6.0)), {}};
}

QString stopText(const Patience& patience)
{
    return patience.stop() ? PlotView::tr("step %1").arg(countText(*patience.stop()))
                           : PlotView::tr("not yet");
}

/// What is remarkable in how they vary; whether their data differ is the run's verdict to say.
QString variationRemark(const LastTowerStatistics& statistics, double expected)
{
    const LossVariances& now = statistics.variances();
    switch (statistics.variation(expected)) {
    case TowerVariation::Unknown:
        return PlotView::tr("cannot tell yet");
    case TowerVariation::Same:
        return PlotView::tr("all towers have the same loss");
    case TowerVariation::Together:
        return PlotView::tr(
                   "the loss moves for all at once, %1 times what the towers explain; left "
                   "out here")
            .arg(ratioText(now.mean / now.predicted));
    case TowerVariation::LastVaries:
        return PlotView::tr("the last tower varies more than its share");
    case TowerVariation::LastVariesLess:
        return PlotView::tr("the last tower varies less than its share");
    case TowerVariation::Independent:
        break;
    }
    return PlotView::tr("as independent batches would");
}

QString variationFigures(const LossVariances& now, double expected)
{
    const RatioInterval interval = ratioInterval(expected, now);
    const ValueFormat tenths{1.0, 1, {}};
    return PlotView::tr("%1, expected %2 (%3 to %4 after %5 steps)")
        .arg(
            ratioText(now.ratio()), ratioText(expected), numberText(interval.low, tenths),
            numberText(interval.high, tenths), countText(now.steps));
}

/// A ratio as a difference in per cent: "+0.3 %".
QString signedPercent(double share)
{
    const double tenths = std::round(1000.0 * share);
    return (tenths < 0.0 ? QStringLiteral("−") : QStringLiteral("+"))
           + numberText(std::abs(tenths) / 1000.0, {100.0, 1, PlotView::tr(" %")});
}

/// How far off it was, against what chance explains.
QString biasText(const RunSeries& run)
{
    const LastTowerStatistics& statistics = run.lastTower();
    const RunningMean& bias = statistics.bias();
    if (statistics.variation(run.expectedVarianceRatio()) == TowerVariation::Same
        && statistics.worstDeviation() == 0.0) {
        return PlotView::tr("the last tower's loss is the mean at every step");
    }
    const QString worst =
        PlotView::tr("%1 at worst (step %2)")
            .arg(signedPercent(statistics.worstDeviation()), countText(statistics.worstStep()));
    const QString off = PlotView::tr("last tower's loss %1 off on average")
                            .arg(signedPercent(statistics.meanDeviation()));
    const double error = bias.standardError();
    const QString between = QStringLiteral(" · ");
    if (std::isnan(error)) {
        return off + between + worst;
    }
    const ValueFormat format = formatFor(2.0 * error);
    const QString difference =
        PlotView::tr("mean difference %1 ± %2")
            .arg(signedNumber(bias.mean(), format), numberText(2.0 * error, format));
    const double errors = std::abs(bias.mean()) / error;
    const QString verdict = errors > kClearErrors ? PlotView::tr("more than chance explains")
                                                  : PlotView::tr("no more than chance explains");
    return verdict + between + difference + between + off + between + worst;
}

/// How the towers' losses vary, against what independent batches would.
QString variationText(const RunSeries& run)
{
    const LastTowerStatistics& statistics = run.lastTower();
    const LossVariances& now = statistics.variances();
    const double expected = run.expectedVarianceRatio();
    if (std::isnan(now.ratio())) {
        return PlotView::tr("needs a few more steps that vary · expected %1 for %2 towers")
            .arg(ratioText(expected), countText(run.towers()));
    }
    if (!isJudged(run)) {
        return PlotView::tr(
                   "no verdict: with a batch of %1 in each tower single images decide · %2")
            .arg(countText(run.batchPerTower()), ratioText(now.ratio()));
    }
    return variationRemark(statistics, expected) + QStringLiteral(" · ")
           + variationFigures(now, expected);
}

/// Where early stopping would have ended the run, by the last tower's loss and by the mean.
QString patienceText(const RunSeries& run)
{
    return PlotView::tr("Early stopping (%1 steps without a new lowest loss): by the last tower's "
                        "loss %2, by the mean %3.")
        .arg(
            countText(Patience::kSteps), stopText(run.lastTower().patienceWithLast()),
            stopText(run.lastTower().patienceWithMean()));
}

std::vector<Curve> biasCurves(const RunSeries& run)
{
    std::vector<Curve> curves{
        {&run.steps(), RunSeries::kLastMinusMean, PlotView::tr("last − mean"), CurveKind::Faint,
         Ink::Tower, run.towers() - 1, false},
        {&run.steps(), RunSeries::kBias, PlotView::tr("mean so far"), CurveKind::Rolling, Ink::Text,
         0, false}};
    curves.back().band = std::pair(RunSeries::kBiasBandLow, RunSeries::kBiasBandHigh);
    curves.back().bandName = PlotView::tr("±2 SE");
    return curves;
}

QString biasRemarks(const RunSeries& run)
{
    return run.towers() == 1 ? QString() : patienceText(run);
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

QString variationRemarks(const RunSeries& run)
{
    const LossVariances now = run.lastTower().variances();
    if (std::isnan(now.mean)) {
        return {};
    }
    const ValueFormat format{1.0, 6, {}};
    return PlotView::tr("Var(mean) = %1. The towers of a step predict s² ÷ N = %2.")
        .arg(numberText(now.mean, format), numberText(now.predicted, format));
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
        .meaning = PlotView::tr(
            "Thin: the last tower's loss − the mean of all. Thick: its mean so far. Grey: 0 ± 2 "
            "standard errors (SE)."),
        .remarks = biasRemarks};
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
        .meaning = PlotView::tr(
            "How much more the last tower's loss varies than the mean's, over 1,024 steps. Band: "
            "independent towers."),
        .remarks = variationRemarks};
}

} // namespace lockstep::ui
