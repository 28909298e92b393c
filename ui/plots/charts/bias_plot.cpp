// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/bias_plot.h"

#include "bridge/series/run_series.h"
#include "plots/charts/last_tower_text.h"

namespace lockstep::ui {
namespace {

std::vector<Curve> biasCurves(const RunSeries& run)
{
    Curve raw{
        &run.steps(),
        RunSeries::kLastMinusMean,
        PlotView::tr("each step"),
        CurveKind::Faint,
        Ink::Tower,
        run.towers() - 1,
        false};
    Curve mean{&run.steps(),
               RunSeries::kBias,
               PlotView::tr("mean so far"),
               CurveKind::Rolling,
               Ink::Text,
               0,
               false};
    mean.band = std::pair(RunSeries::kBiasBandLow, RunSeries::kBiasBandHigh);
    mean.bandName = PlotView::tr("±2 SE");
    return {raw, mean};
}

} // namespace

BiasPlot::BiasPlot(XRange& range, QWidget* parent) : PlotView(range, parent)
{
    setTitle(tr("Last tower − mean"));
    setValueFormat({1.0, 4, {}});
    setReferenceLines({{0.0}});
}

void BiasPlot::setRun(const RunSeries* run)
{
    m_run = run;
    const bool isAlone = run != nullptr && run->towers() == 1;
    setEmptyText(isAlone ? tr("One tower: its loss is the mean") : QString());
    setCurves(run == nullptr || isAlone ? std::vector<Curve>() : biasCurves(*run));
}

QString BiasPlot::captionText() const
{
    return biasText(*m_run);
}

Judgement BiasPlot::judgement() const
{
    return biasJudgement(*m_run);
}

QString BiasPlot::explanation() const
{
    QString meaning =
        tr("d = loss of the last tower, which the classic scripts print, − mean of all N "
           "towers.\nFaint: d of each step. Line: its mean over the run so far. Grey: 0 ± 2 "
           "standard errors (SE) of that mean,\n√(Var(d) ÷ steps), or that of the means of 32 "
           "steps each where it is larger. A line outside of it: the last\ntower's data are not "
           "like the others'. The y axis fits the mean, without its beginning; O fits each "
           "step.\nIndependent towers: Var(d) = σ² (1 − 1/N), σ² that of a tower's loss.");
    if (m_run == nullptr || m_run->towers() == 1) {
        return meaning;
    }
    return meaning + QStringLiteral("\n\n") + patienceText(*m_run) + QStringLiteral("\n\n")
           + missedFaultText(m_run->towers());
}

} // namespace lockstep::ui
