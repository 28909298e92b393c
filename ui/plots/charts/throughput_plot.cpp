// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/throughput_plot.h"

#include "bridge/series/run_series.h"

namespace lockstep::ui {

ThroughputPlot::ThroughputPlot(XRange& range, QWidget* parent) : PlotView(range, parent)
{
    setTitle(tr("Throughput"));
    setLimits(0.0, std::nullopt);
    setValueFormat({1.0, 0, {}});
}

void ThroughputPlot::setRun(const RunSeries* run)
{
    m_run = run;
    if (run == nullptr) {
        setCurves({});
        return;
    }
    setCurves(
        {{&run->steps(), RunSeries::kExamplesPerSecond, tr("examples/s"), CurveKind::Plain,
          Ink::Accent}});
}

QString ThroughputPlot::captionText() const
{
    const SeriesStore& steps = m_run->steps();
    const double rate = steps.series(RunSeries::kExamplesPerSecond).smoothedAt(steps.size() - 1);
    const double stepSeconds = m_run->towers() * m_run->batchPerTower() / rate;
    const QString divisor =
        m_run->towers() == 1 ? tr("1 tower") : tr("%1 towers").arg(m_run->towers());
    return tr("%1 examples/s · %2 ms/step · %3 s/batch (step ÷ %4)")
        .arg(
            numberText(rate, valueFormat()), numberText(1000.0 * stepSeconds, {1.0, 1, {}}),
            numberText(stepSeconds / m_run->towers(), {1.0, 4, {}}), divisor);
}

QString ThroughputPlot::explanation() const
{
    return tr("examples/s = global batch ÷ step seconds, global batch = towers × batch per tower.\n"
              "s/batch = step seconds ÷ towers: the classic figure, the time per tower batch.");
}

} // namespace lockstep::ui
