// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/last_vs_mean_plot.h"

#include "bridge/series/run_series.h"
#include "plots/charts/last_tower_text.h"

#include <cmath>

namespace lockstep::ui {

LastVsMeanPlot::LastVsMeanPlot(XRange& range, QWidget* parent) : PlotView(range, parent)
{
    setTitle(tr("Var(last) ÷ Var(mean)"));
    setLimits(0.0, std::nullopt);
    setValueFormat({1.0, 2, {}});
}

void LastVsMeanPlot::setRun(const RunSeries* run)
{
    m_run = run;
    const bool isAlone = run != nullptr && run->towers() == 1;
    setEmptyText(isAlone ? tr("With one tower there is nothing to compare") : QString());
    setReferenceLines({});
    if (run == nullptr || isAlone) {
        setCurves({});
        return;
    }
    setReferenceLines({{static_cast<double>(run->towers())}});
    Curve ratio{
        &run->steps(),
        RunSeries::kVarianceRatio,
        tr("Var(last) ÷ Var(mean)"),
        CurveKind::Rolling,
        Ink::Tower,
        run->towers() - 1,
        false};
    ratio.band = std::pair(RunSeries::kVarianceRatioLow, RunSeries::kVarianceRatioHigh);
    ratio.bandName = tr("independent towers");
    setCurves({ratio});
}

QString LastVsMeanPlot::captionText() const
{
    return variationText(*m_run);
}

Judgement LastVsMeanPlot::judgement() const
{
    return variationJudgement(*m_run);
}

QString LastVsMeanPlot::explanation() const
{
    QString meaning =
        tr("How much more the last tower's loss varies than the mean of all N towers, over the "
           "latest 1,024 steps:\nvariances about straight lines through 32 steps each, so that "
           "neither the fall of the loss nor a jump counts.\nExpected of batches of B distinct "
           "examples out of M: N · [1 − (B−1)/(M−1)] ÷ [1 − (N·B−1)/(M−1)], about N.\nBand: how "
           "far chance alone moves independent towers from it over this many steps. At 1: all "
           "towers get the same data.\nWhere the loss clearly moves for all at once (a high "
           "learning rate), that is left out: 1 + Var(last − mean) ÷ (s² ÷ N).");
    const LossVariances now = m_run == nullptr ? LossVariances{} : m_run->lastTower().variances();
    if (std::isnan(now.mean)) {
        return meaning;
    }
    const ValueFormat format{1.0, 6, {}};
    return meaning + QStringLiteral("\n\n")
           + tr("Var(mean) = %1. The towers of a step, s² ÷ N with s² = Σ(lossᵢ − mean)² ÷ (N−1), "
                "predict %2.")
                 .arg(numberText(now.mean, format), numberText(now.predicted, format));
}

} // namespace lockstep::ui
