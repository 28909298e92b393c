// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/chart_stack.h"

#include "bridge/run_series.h"
#include "plots/accuracy_plot.h"
#include "plots/bias_plot.h"
#include "plots/last_vs_mean_plot.h"
#include "plots/loss_plot.h"
#include "plots/throughput_plot.h"

#include <utility>

namespace lockstep::ui {
namespace {

constexpr int kHandleWidth = 6;

/// Shares of the height: the loss is what a person looks at.
const QList<int>& heights()
{
    static const QList<int> list{280, 115, 115, 105, 125};
    return list;
}

} // namespace

ChartStack::ChartStack(QWidget* parent) : QSplitter(Qt::Vertical, parent)
{
    m_plots = {
        new LossPlot(m_range), new ThroughputPlot(m_range), new BiasPlot(m_range),
        new LastVsMeanPlot(m_range), new AccuracyPlot(m_range)};
    for (PlotView* const plot : m_plots) {
        addWidget(plot);
        setCollapsible(count() - 1, false);
        connect(plot, &PlotView::maximizeRequested, this, [this, plot] { toggleEnlarged(*plot); });
    }
    setHandleWidth(kHandleWidth);
    resetHeights();
    shareAxis();
}

ChartStack::~ChartStack()
{
    m_range.forget();    // the curves may go before the charts do, which repaint no more
    qDeleteAll(m_plots); // they use the range
}

void ChartStack::setRun(const RunSeries* run)
{
    m_range.setTimeline(run != nullptr ? &run->steps().timeline() : nullptr);
    for (PlotView* const plot : m_plots) {
        plot->setRun(run);
    }
}

void ChartStack::setOverlays(const std::vector<PlotOverlay>& overlays)
{
    std::vector<const Timeline*> timelines;
    for (const PlotOverlay& overlay : overlays) {
        timelines.push_back(&overlay.series->losses().timeline());
    }
    // The charts first: those of before may look at the range as it changes.
    for (PlotView* const plot : m_plots) {
        plot->setOverlays(overlays);
    }
    m_range.setOthers(std::move(timelines));
}

void ChartStack::repaintData()
{
    m_range.dataChanged();
    for (PlotView* const plot : m_plots) {
        plot->dataChanged();
        plot->repaint();
    }
}

void ChartStack::toggleEnlarged(PlotView& plot)
{
    const bool isEnlarged = !m_heights.isEmpty();
    const QByteArray heights = std::exchange(m_heights, isEnlarged ? QByteArray() : saveState());
    for (PlotView* const each : m_plots) {
        each->setVisible(isEnlarged || each == &plot);
    }
    if (isEnlarged) {
        restoreState(heights);
    }
    shareAxis();
    plot.setFocus(Qt::OtherFocusReason);
}

QByteArray ChartStack::heightsState() const
{
    return m_heights.isEmpty() ? saveState() : m_heights;
}

/// All share their x axis: low charts leave what stands on it to the highest and the lowest one.
void ChartStack::shareAxis()
{
    std::vector<PlotView*> shown = m_plots;
    std::erase_if(shown, [](const PlotView* plot) { return plot->isHidden(); });
    for (PlotView* const plot : shown) {
        plot->setNeighbours(plot != shown.front(), plot != shown.back());
    }
}

void ChartStack::resetHeights()
{
    setSizes(heights());
    for (int i = 0; i < count(); ++i) {
        setStretchFactor(i, heights()[i]);
    }
}

} // namespace lockstep::ui
