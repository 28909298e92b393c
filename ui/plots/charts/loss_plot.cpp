// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"

#include "bridge/series/run_series.h"

#include <cmath>
#include <iterator>
#include <utility>

namespace lockstep::ui {
namespace {

QString totalKey()
{
    return PlotView::tr("with weight decay");
}

std::vector<Curve> lossCurves(const RunSeries& run)
{
    const SeriesStore& steps = run.steps();
    std::vector<Curve> curves;
    if (!run.isRecorded()) {
        curves.push_back( // the mean marks faults; old runs do not know it apart
            {&steps, RunSeries::kTotalLoss, totalKey(), CurveKind::Plain, Ink::Accent, 0, false});
        curves.back().isAlwaysTold = true;
    }
    for (int objective = 0; objective < std::ssize(run.objectives()); ++objective) {
        const auto& name = run.objectives()[static_cast<std::size_t>(objective)];
        curves.push_back(
            {&steps, run.objectiveLoss(objective), QString::fromStdString(name), CurveKind::Faint,
             Ink::Overlay, objective, false});
    }
    if (run.towers() == 1) {
        curves.push_back(
            {&steps, RunSeries::kMeanLoss, PlotView::tr("loss"), CurveKind::Plain, Ink::Text});
        return curves;
    }
    // The mean marks every fault: it is no number where a tower's loss is none. A tower alone may
    // only be absent, at the steps of an earlier branch with fewer towers.
    const int last = run.towers() - 1;
    for (int tower = 0; tower <= last; ++tower) {
        const bool isLast = tower == last;
        curves.push_back(
            {&steps, run.towerLoss(tower),
             (isLast ? PlotView::tr("last tower (%1)") : PlotView::tr("tower %1")).arg(tower),
             isLast ? CurveKind::LastTower : CurveKind::Tower, Ink::Tower, tower, false});
    }
    curves.push_back(
        {&steps, RunSeries::kMeanLoss, PlotView::tr("mean"), CurveKind::Mean, Ink::Text});
    curves.back().band = std::pair(RunSeries::kBelowMean, RunSeries::kAboveMean);
    curves.back().isMarkingFaults = !run.isRecorded();
    return curves;
}

std::vector<Curve> lossesBehind(const std::vector<PlotOverlay>& overlays)
{
    std::vector<Curve> curves;
    for (const PlotOverlay& overlay : overlays) {
        curves.push_back(overlayCurve(overlay, overlay.series->losses(), OverlaySeries::kMeanLoss));
        curves.back().band = std::pair(OverlaySeries::kLowestLoss, OverlaySeries::kHighestLoss);
        if (overlay.series->isDecayIncluded()) {
            curves.back().name += LossPlot::tr(" · weight decay included");
        }
    }
    return curves;
}

QString lossCaption(const RunSeries& run)
{
    const SeriesStore& steps = run.steps();
    const std::int64_t newest = steps.size() - 1;
    const Series& mean = steps.series(RunSeries::kMeanLoss);
    const Series& last = steps.series(run.lastTowerLoss());
    const auto textOf = [&](double loss) {
        return run.isRecorded() && std::isnan(loss) ? QStringLiteral("–")
                                                    : numberText(loss, ValueFormat{});
    };
    const QString losses = run.towers() == 1
                               ? textOf(mean.at(newest))
                               : LossPlot::tr("mean %1 · last tower %2")
                                     .arg(textOf(mean.at(newest)), textOf(last.at(newest)));
    if (run.isRecorded()) {
        return losses;
    }
    const Series& totals = steps.series(RunSeries::kTotalLoss);
    const auto isIncluded = [&](std::int64_t row) { // by a program that did not tell it apart
        return std::isnan(totals.at(row)) && !std::isnan(mean.at(row));
    };
    if (isIncluded(newest)) {
        return losses + LossPlot::tr(" · weight decay included");
    }
    const double total = totals.at(newest);
    const bool isAnyToTell = !std::isnan(total) && total != mean.at(newest);
    return losses
           + (isAnyToTell ? LossPlot::tr(" · with weight decay %1").arg(textOf(total)) : QString())
           + (isIncluded(0) ? LossPlot::tr(" · weight decay included at first") : QString());
}

} // namespace

LossPlot::LossPlot(XRange& range, QWidget* parent)
    : PlotView(
        range,
        {.title = tr("Loss"),
         .curves = lossCurves,
         .behind = lossesBehind,
         .caption = lossCaption,
         .meaning =
             tr("Mean cross-entropy of a batch. The classic scripts print the last tower's, with "
                "weight decay.\n"
                "Lines: the trend. Grey: from the least to the greatest tower. Above: the newest "
                "step as it is.")},
        parent)
{
    setTotalShown(false);
}

bool LossPlot::isTotalShown() const
{
    return !legend().isHidden(totalKey());
}

void LossPlot::setTotalShown(bool isShown)
{
    legend().setHidden(totalKey(), !isShown);
}

} // namespace lockstep::ui
