// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/loss_plot.h"

#include "bridge/series/run_series.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

LossPlot::LossPlot(XRange& range, std::optional<std::size_t> objective, QWidget* parent)
    : PlotView(range, parent), m_objective(objective)
{
    setTitle(objective ? tr("Loss: %1").arg(*objective) : tr("Loss"));
}

void LossPlot::setRun(const RunSeries* run)
{
    m_run = run;
    const bool hasCurves = run != nullptr && isShown(*run);
    if (hasCurves && m_objective) {
        setTitle(tr("Loss: %1").arg(QString::fromStdString(run->objectives()[*m_objective])));
    }
    setCurves(hasCurves ? curvesOf(*run) : std::vector<Curve>());
}

bool LossPlot::isShown(const RunSeries& run) const
{
    return !m_objective || *m_objective < run.objectives().size();
}

int LossPlot::meanOf(const RunSeries& run) const
{
    return m_objective ? run.objectiveMean(static_cast<int>(*m_objective)) : RunSeries::kMeanLoss;
}

int LossPlot::lastTowerOf(const RunSeries& run) const
{
    return m_objective ? meanOf(run) + run.towers() : run.lastTowerLoss();
}

int LossPlot::belowMeanOf(const RunSeries& run) const
{
    return m_objective ? run.objectiveBelowMean(static_cast<int>(*m_objective))
                       : RunSeries::kBelowMean;
}

std::vector<Curve> LossPlot::curvesOf(const RunSeries& run) const
{
    const SeriesStore& steps = run.steps();
    if (run.towers() == 1) {
        return {{&steps, meanOf(run), PlotView::tr("loss"), CurveKind::Plain, Ink::Text}};
    }
    // The mean marks every fault: it is no number where a tower's loss is none. A tower alone may
    // only be absent, at the steps of an earlier branch with fewer towers.
    const int last = run.towers() - 1;
    std::vector<Curve> curves;
    for (int tower = 0; tower <= last; ++tower) {
        const bool isLast = tower == last;
        curves.push_back(
            {&steps, lastTowerOf(run) - last + tower,
             (isLast ? PlotView::tr("last tower (%1)") : PlotView::tr("tower %1")).arg(tower),
             isLast ? CurveKind::LastTower : CurveKind::Tower, Ink::Tower, tower, false});
    }
    curves.push_back({&steps, meanOf(run), PlotView::tr("mean"), CurveKind::Mean, Ink::Text});
    curves.back().band = std::pair(belowMeanOf(run), belowMeanOf(run) + 1);
    curves.back().isMarkingFaults = !run.isRecorded();
    return curves;
}

/// Of an objective those of runs that have one of its name.
void LossPlot::setOverlays(const std::vector<PlotOverlay>& overlays)
{
    std::vector<Curve> curves;
    for (const PlotOverlay& overlay : overlays) {
        if (!m_objective) {
            curves.push_back(
                overlayCurve(overlay, overlay.series->losses(), OverlaySeries::kMeanLoss));
            curves.back().band = std::pair(OverlaySeries::kLowestLoss, OverlaySeries::kHighestLoss);
            continue;
        }
        const std::vector<std::string>& theirs = overlay.series->objectives();
        const auto found = m_run == nullptr || !isShown(*m_run)
                               ? theirs.end()
                               : std::ranges::find(theirs, m_run->objectives()[*m_objective]);
        if (found != theirs.end() && !overlay.isAbandoned) {
            const auto place = static_cast<int>(found - theirs.begin());
            curves.push_back(overlayCurve(
                overlay, overlay.series->figures(), OverlaySeries::kObjectives + place));
        }
    }
    setCurvesBehind(std::move(curves));
}

QString LossPlot::captionText() const
{
    const SeriesStore& steps = m_run->steps();
    const std::int64_t newest = steps.size() - 1;
    const Series& mean = steps.series(meanOf(*m_run));
    const Series& last = steps.series(lastTowerOf(*m_run));
    const auto textOf = [&](double loss) {
        return m_run->isRecorded() && std::isnan(loss) ? QStringLiteral("–")
                                                       : numberText(loss, valueFormat());
    };
    return m_run->towers() == 1 ? textOf(mean.at(newest))
                                : tr("mean %1 · last tower %2")
                                      .arg(textOf(mean.at(newest)), textOf(last.at(newest)));
}

QString LossPlot::explanation() const
{
    if (m_objective) {
        return tr("Of this objective alone, averaged over a tower's batch: without its weight and "
                  "without weight decay.\n"
                  "It is reported while it is not trained, too.");
    }
    return tr("Loss of a tower: mean cross-entropy of its batch + weight decay.\n"
              "Mean: of all towers at a step. Last tower: what the classic scripts print.\n"
              "Grey: from the least to the greatest of all towers, smoothed around the mean.\n"
              "Lines: the trend over the steps around each, the raw values faint behind them.\n"
              "Above: the newest step as it is.");
}

} // namespace lockstep::ui
