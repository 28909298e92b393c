// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/accuracy_plot.h"

#include "bridge/series/run_series.h"

#include <QStringList>

namespace lockstep::ui {

AccuracyPlot::AccuracyPlot(XRange& range, QWidget* parent) : PlotView(range, parent)
{
    setTitle(tr("Accuracy"));
    setLimits(0.0, 1.0);
    setValueFormat({100.0, 1, tr(" %")});
}

void AccuracyPlot::setRun(const RunSeries* run)
{
    m_run = run;
    if (run == nullptr) {
        setCurves({});
        return;
    }
    const SeriesStore& tests = run->evaluations();
    setCurves(
        {{&run->steps(), RunSeries::kTrainAccuracy, tr("train batch"), CurveKind::Plain, Ink::Muted,
          0, false},
         {&tests, RunSeries::kTestAccuracy, tr("test, raw"), CurveKind::Points, Ink::Accent, 0,
          false},
         {&tests, RunSeries::kMovingAverageAccuracy, tr("test, moving average"), CurveKind::Points,
          Ink::Text, 0, false}});
}

void AccuracyPlot::setOverlays(const std::vector<PlotOverlay>& overlays)
{
    std::vector<Curve> curves;
    for (const PlotOverlay& overlay : overlays) {
        if (overlay.isAbandoned) {
            continue; // of those only the losses are kept
        }
        curves.push_back(
            {&overlay.series->tests(), OverlaySeries::kAccuracy, overlay.name, CurveKind::Overlay,
             Ink::Overlay, overlay.color, false});
    }
    setCurvesBehind(std::move(curves));
}

QString AccuracyPlot::captionText() const
{
    QStringList parts;
    for (const Curve& curve : curves()) {
        const std::int64_t newest = curve.store->size() - 1;
        if (newest >= 0) {
            parts << QStringLiteral("%1 %2").arg(
                curve.name, numberText(curve.series().smoothedAt(newest), valueFormat()));
        }
    }
    return parts.join(QStringLiteral(" · "));
}

QString AccuracyPlot::explanation() const
{
    return tr(
        "Share of examples whose most likely class is the right one (classically: precision @ 1).\n"
        "Train batch: of each step's examples, before its update, distorted as they are.\n"
        "Test: of the whole test set, with the weights as they are and with their moving average.");
}

} // namespace lockstep::ui
