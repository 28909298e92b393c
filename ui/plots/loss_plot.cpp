// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/loss_plot.h"

#include "bridge/run_series.h"

namespace lockstep::ui {
namespace {

std::vector<Curve> lossCurves(const RunSeries& run)
{
    const SeriesStore& steps = run.steps();
    if (run.towers() == 1) {
        return {{&steps, RunSeries::kMeanLoss, PlotView::tr("loss"), CurveKind::Plain, Ink::Text}};
    }
    // The mean marks every fault: it is no number where a tower's loss is none. A tower alone may
    // only be absent, at the steps of an earlier branch with fewer towers.
    const int last = run.towers() - 1;
    std::vector<Curve> curves;
    for (int tower = 0; tower < last; ++tower) {
        const QString name = PlotView::tr("tower %1").arg(tower);
        curves.push_back(
            {&steps, run.towerLoss(tower), name, CurveKind::Tower, Ink::Tower, tower, false});
    }
    curves.push_back(
        {&steps, run.towerLoss(last), PlotView::tr("last tower (%1)").arg(last),
         CurveKind::LastTower, Ink::Tower, last, false});
    curves.push_back(
        {&steps, RunSeries::kMeanLoss, PlotView::tr("mean"), CurveKind::Mean, Ink::Text});
    return curves;
}

} // namespace

LossPlot::LossPlot(XRange& range, QWidget* parent) : PlotView(range, parent)
{
    setTitle(tr("Loss"));
}

void LossPlot::setRun(const RunSeries* run)
{
    m_run = run;
    setCurves(run == nullptr ? std::vector<Curve>() : lossCurves(*run));
}

void LossPlot::setOverlays(const std::vector<PlotOverlay>& overlays)
{
    std::vector<Curve> curves;
    for (const PlotOverlay& overlay : overlays) {
        curves.push_back(
            {&overlay.series->losses(), OverlaySeries::kMeanLoss, overlay.name, CurveKind::Overlay,
             overlay.isAbandoned ? Ink::Muted : Ink::Overlay, overlay.color, false,
             std::pair(OverlaySeries::kLowestLoss, OverlaySeries::kHighestLoss)});
        curves.back().isAbandoned = overlay.isAbandoned;
    }
    setCurvesBehind(std::move(curves));
}

QString LossPlot::captionText() const
{
    const SeriesStore& steps = m_run->steps();
    const std::int64_t newest = steps.size() - 1;
    const Series& mean = steps.series(RunSeries::kMeanLoss);
    const Series& last = steps.series(m_run->lastTowerLoss());
    return m_run->towers() == 1 ? numberText(mean.smoothedAt(newest), valueFormat())
                                : tr("mean %1 · last tower %2")
                                      .arg(
                                          numberText(mean.smoothedAt(newest), valueFormat()),
                                          numberText(last.smoothedAt(newest), valueFormat()));
}

QString LossPlot::explanation() const
{
    return tr(
        "Loss of a tower: mean cross-entropy of its batch + weight decay.\n"
        "Mean: of all towers at a step. Last tower: what the classic scripts print.\n"
        "Grey: from the least to the greatest of all towers.\n"
        "Lines: debiased exponential moving average of all steps, the raw values behind them.");
}

} // namespace lockstep::ui
