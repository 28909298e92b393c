// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/last_tower_text.h"

#include "bridge/series/run_series.h"
#include "plots/axes/number_text.h"
#include "plots/view/plot_view.h"

#include <algorithm>
#include <cmath>

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

struct Verdict
{
    Judgement judgement;
    QString text;
};

Verdict variationVerdict(const LastTowerStatistics& statistics, double expected)
{
    const LossVariances& now = statistics.variances();
    switch (statistics.variation(expected)) {
    case TowerVariation::Unknown:
        return {Judgement::None, PlotView::tr("cannot tell yet")};
    case TowerVariation::Same:
        return {Judgement::Bad, PlotView::tr("all towers seem to get the same data")};
    case TowerVariation::Together:
        return {
            Judgement::Doubtful,
            PlotView::tr("the towers' data differ; the loss jumps for all at once (a high "
                         "learning rate): %1 times what they explain, left out here")
                .arg(ratioText(now.mean / now.predicted))};
    case TowerVariation::LastVaries:
        return {Judgement::Bad, PlotView::tr("the last tower varies more than its share")};
    case TowerVariation::LastVariesLess:
        return {Judgement::Bad, PlotView::tr("the last tower varies less than its share")};
    case TowerVariation::Independent:
        break;
    }
    return {Judgement::Good, PlotView::tr("the towers vary as independent batches would")};
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

} // namespace

QString signedPercent(double share)
{
    const double tenths = std::round(1000.0 * share);
    return (tenths < 0.0 ? QStringLiteral("−") : QStringLiteral("+"))
           + numberText(std::abs(tenths) / 1000.0, {100.0, 1, PlotView::tr(" %")});
}

QString biasText(const RunSeries& run)
{
    const LastTowerStatistics& statistics = run.lastTower();
    const RunningMean& bias = statistics.bias();
    if (statistics.variation(run.expectedVarianceRatio()) == TowerVariation::Same
        && statistics.worstDeviation() == 0.0) {
        return PlotView::tr("the printed loss is the mean at every step");
    }
    const QString worst =
        PlotView::tr("%1 at worst (step %2)")
            .arg(signedPercent(statistics.worstDeviation()), countText(statistics.worstStep()));
    const QString off = PlotView::tr("printed loss %1 off on average")
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
    const QString verdict =
        errors > kClearErrors ? PlotView::tr("more than chance explains: the towers' data differ")
        : errors > 2.0        ? PlotView::tr("more than chance explains in 19 of 20 looks")
                              : PlotView::tr("no more than chance explains");
    return verdict + between + difference + between + off + between + worst;
}

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
    return variationVerdict(statistics, expected).text + QStringLiteral(" · ")
           + variationFigures(now, expected);
}

Judgement biasJudgement(const RunSeries& run)
{
    const RunningMean& bias = run.lastTower().bias();
    const double errors = std::abs(bias.mean()) / bias.standardError();
    return !std::isfinite(errors)  ? Judgement::None
           : errors > kClearErrors ? Judgement::Bad
           : errors > 2.0          ? Judgement::Doubtful
                                   : Judgement::Good;
}

Judgement variationJudgement(const RunSeries& run)
{
    if (!isJudged(run)) {
        return Judgement::None;
    }
    return variationVerdict(run.lastTower(), run.expectedVarianceRatio()).judgement;
}

QString patienceText(const RunSeries& run)
{
    return PlotView::tr("Early stopping after %1 steps without a new lowest loss: by the printed "
                        "loss %2, by the mean %3.")
        .arg(
            countText(Patience::kSteps), stopText(run.lastTower().patienceWithLast()),
            stopText(run.lastTower().patienceWithMean()));
}

QString missedFaultText(int towers)
{
    const double missed = static_cast<double>(towers - 1) / towers;
    return PlotView::tr(
               "A check for NaN of the last tower alone misses a fault in one of %1 towers with "
               "probability %2,\n"
               "applies the update, and sees it a step later at the earliest. Here all towers are "
               "checked before each update.")
        .arg(countText(towers), numberText(missed, {100.0, 0, PlotView::tr(" %")}));
}

} // namespace lockstep::ui
