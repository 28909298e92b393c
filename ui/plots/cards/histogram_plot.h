// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/value_histogram.h"
#include "plots/cards/card_chart.h"

#include <QColor>
#include <QImage>
#include <QSize>

#include <utility>

namespace lockstep::ui {

/// How values are distributed, step by step: the denser the darker, with lines at the median and
/// where 5 % lie below and above. The y axis leaves out the outermost 0.5 % on either side, which
/// the caption has.
class HistogramPlot : public CardChart
{
    Q_OBJECT

public:
    HistogramPlot(const QString& title, const QString& meaning, QWidget* parent = nullptr);

    /// By ascending step.
    void setHistograms(HistogramRow histograms);
    [[nodiscard]] const HistogramRow& histograms() const noexcept { return m_histograms; }

protected:
    [[nodiscard]] bool isEmpty() const override { return m_histograms.empty(); }
    [[nodiscard]] std::vector<LegendKey> legend() const override;
    [[nodiscard]] PlotScale scaleWithin(const QRectF& area) const override;
    void paintBody(QPainter& painter, const PlotScale& scale) const override;
    [[nodiscard]] std::vector<double> places() const override;
    [[nodiscard]] HoverCard cardAt(const ChartPoint& point) const override;

private:
    HistogramRow m_histograms;
    BucketSpan m_range;
};

/// The densities of histograms as a picture of so many pixels: x is the step from the first to the
/// last one, each histogram reaching to the middle between it and its neighbours; y the value, the
/// lowest at the bottom. From `empty` to `full` by the root of the density, which is full where it
/// is three times that of values that are spread evenly over the range.
QImage densityPicture(
    const HistogramRow& histograms, BucketSpan range, QSize pixels,
    const std::pair<QColor, QColor>& emptyAndFull);

} // namespace lockstep::ui
