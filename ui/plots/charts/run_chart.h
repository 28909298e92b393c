// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/view/plot_view.h"

#include <functional>

namespace lockstep::ui {

/// What a chart of a run shows and says.
struct RunChartSpecification
{
    const char* name = ""; ///< the object's
    QString title;
    ValueFormat format;
    std::optional<double> floor = {}; ///< that the y axis always reaches
    std::optional<double> ceiling = {};
    /// Said instead, where one tower has nothing to be compared with; empty: it is shown, too.
    QString ofOneTower = {};
    std::function<double(const RunSeries&)> expected = {}; ///< a line across the chart
    std::function<std::vector<Curve>(const RunSeries&)> curves;
    std::function<std::vector<Curve>(const std::vector<PlotOverlay>&)> behind; ///< of other runs
    std::function<QString(const RunSeries&)> caption;
    std::function<Judgement(const RunSeries&)> judgement = {};
    std::function<QString(const RunSeries*)> explanation; ///< of no run, too
};

/// Examples per second, with the classic seconds per batch in words.
RunChartSpecification throughputChart();
/// How far the last tower's loss, which the classic scripts print, lies from the mean of all: step
/// by step, and on average, which stays near 0 unless the towers' data differ.
RunChartSpecification biasChart();
/// How much noisier than the mean the last tower's loss is, against the number of towers.
RunChartSpecification variationChart();
/// Share of examples that are classified correctly: training batches, and the test set with and
/// without the moving average of the weights.
RunChartSpecification accuracyChart();
/// Mean loss over the test set, with and without the moving average of the weights.
RunChartSpecification testLossChart();
/// Of networks that detect: average precision on the test set, likewise.
RunChartSpecification averagePrecisionChart();

/// A chart of figures of a run, by its specification.
class RunChart : public PlotView
{
    Q_OBJECT

public:
    RunChart(XRange& range, RunChartSpecification specification, QWidget* parent = nullptr);

    void setRun(const RunSeries* run) override;
    void setOverlays(const std::vector<PlotOverlay>& overlays) override
    {
        setCurvesBehind(m_specification.behind(overlays));
    }

protected:
    [[nodiscard]] QString captionText() const override { return m_specification.caption(*m_run); }
    [[nodiscard]] Judgement judgement() const override
    {
        return m_specification.judgement ? m_specification.judgement(*m_run) : Judgement::None;
    }
    [[nodiscard]] QString explanation() const override
    {
        return m_specification.explanation(m_run);
    }

private:
    const RunChartSpecification m_specification;
    const RunSeries* m_run = nullptr;
};

} // namespace lockstep::ui
