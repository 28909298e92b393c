// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/last_vs_mean_plot.h"

#include "bridge/run_series.h"

#include <cmath>

namespace lockstep::ui {
namespace {

QString signedPercent(double share)
{
    const double tenths = std::round(1000.0 * share);
    return (tenths < 0.0 ? QStringLiteral("−") : QStringLiteral("+"))
           + numberText(std::abs(tenths) / 1000.0, {100.0, 1, PlotView::tr(" %")});
}

} // namespace

LastVsMeanPlot::LastVsMeanPlot(XRange& range, QWidget* parent) : PlotView(range, parent)
{
    setTitle(tr("Last tower against mean"));
    setLimits(0.0, std::nullopt);
    setValueFormat({1.0, 2, {}});
}

void LastVsMeanPlot::setRun(const RunSeries* run)
{
    m_run = run;
    setReferenceLines({});
    if (run == nullptr) {
        setCurves({});
        return;
    }
    setReferenceLines({{static_cast<double>(run->towers())}});
    setCurves(
        {{&run->steps(), RunSeries::kVarianceRatio, tr("Var(last) ÷ Var(mean)"), CurveKind::Rolling,
          Ink::Tower, run->towers() - 1, false}});
}

QString LastVsMeanPlot::captionText() const
{
    const LastTowerStatistics& statistics = m_run->lastTower();
    const double ratio = statistics.varianceRatio();
    const QString start =
        std::isnan(ratio)
            ? tr("Var(last) ÷ Var(mean) needs a few more steps, expected %1").arg(m_run->towers())
            : tr("Var(last) ÷ Var(mean) = %1, expected %2")
                  .arg(numberText(ratio, valueFormat()))
                  .arg(m_run->towers());
    return start
           + tr(" · last tower off by %1 on average, %2 at worst (step %3)")
                 .arg(
                     signedPercent(statistics.meanDeviation()),
                     signedPercent(statistics.worstDeviation()), countText(statistics.worstStep()));
}

QString LastVsMeanPlot::explanation() const
{
    return tr("How much noisier the last tower's loss is than the mean of all N towers: Var(last) "
              "÷ Var(mean)\n"
              "over the latest 1,024 steps, of the differences between neighbouring steps, so that "
              "the fall of\n"
              "the loss does not count. Expected with independent examples: N. Near 1: all towers "
              "get the same data,\nor the loss jumps for all towers alike (a high learning rate).");
}

} // namespace lockstep::ui
