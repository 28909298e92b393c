// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/cards/histogram_plot.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kOutermost = 0.005;
constexpr double kLowShare = 0.05;
constexpr double kMedian = 0.5;
constexpr double kHighShare = 0.95;
constexpr double kMarginShare = 0.05;
constexpr double kFullDensity = 3.0;

/// Three significant digits, whatever the size: gradients are small.
QString valueText(double value)
{
    const double size = std::abs(value);
    const int decimals = size >= 0.001 && size < 1e6
                             ? std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 5)
                             : 2;
    return numberText(value, {1.0, decimals, {}});
}

/// Where the outermost values are left out.
BucketSpan rangeOf(const HistogramRow& histograms)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    BucketSpan range{kInfinity, -kInfinity};
    for (const auto& histogram : histograms) {
        if (histogram->count > 0.0) {
            range.low = std::min(range.low, quantile(*histogram, kOutermost));
            range.high = std::max(range.high, quantile(*histogram, 1.0 - kOutermost));
        }
    }
    range = range.low > range.high ? BucketSpan{0.0, 0.0} : range;
    const double height = range.high - range.low;
    const double ofOneValue =
        range.high != 0.0 ? kMarginShare * std::abs(range.high) : kMarginShare;
    const double margin = height > 0.0 ? kMarginShare * height : ofOneValue;
    return {range.low - margin, range.high + margin};
}

/// One for each row of pixels, from the top: which of 256 shades it has.
std::vector<std::size_t> shadesOf(const ValueHistogram& histogram, BucketSpan range, int rows)
{
    const auto count = static_cast<std::size_t>(rows);
    std::vector<double> counts = countsInRows(histogram, range, count);
    const double even = histogram.count / static_cast<double>(rows);
    std::vector<std::size_t> shades(count);
    for (std::size_t row = 0; row < count && even > 0.0; ++row) {
        const double density = counts[count - 1 - row] / even;
        shades[row] = static_cast<std::size_t>(
            std::lround(255.0 * std::sqrt(std::min(1.0, density / kFullDensity))));
    }
    return shades;
}

QPolygonF quantileLine(const HistogramRow& histograms, const PlotScale& scale, double share)
{
    QPolygonF line;
    for (const auto& histogram : histograms) {
        line << QPointF(
            scale.pixelX(static_cast<double>(histogram->step)),
            scale.pixelY(quantile(*histogram, share)));
    }
    if (line.size() == 1) {
        line << QPointF(scale.area.right(), line.front().y());
    }
    return line;
}

} // namespace

QImage densityPicture(
    const HistogramRow& histograms, BucketSpan range, QSize pixels,
    const std::pair<QColor, QColor>& emptyAndFull)
{
    QImage picture(pixels, QImage::Format_RGB32);
    picture.fill(emptyAndFull.first);
    std::array<QRgb, 256> inks{};
    for (std::size_t i = 0; i < inks.size(); ++i) {
        const double share = static_cast<double>(i) / 255.0;
        inks[i] = mixed(emptyAndFull.second, emptyAndFull.first, share).rgb();
    }
    const auto first = static_cast<double>(histograms.front()->step);
    const double width = std::max(1.0, static_cast<double>(histograms.back()->step) - first);
    int x = 0;
    for (std::size_t i = 0; i < histograms.size(); ++i) {
        const bool isLast = i + 1 == histograms.size();
        const double edge =
            isLast ? first + width
                   : static_cast<double>(histograms[i]->step + histograms[i + 1]->step) / 2.0;
        const int end = static_cast<int>(std::lround((edge - first) / width * pixels.width()));
        if (end <= x) {
            continue;
        }
        const std::vector<std::size_t> shades = shadesOf(*histograms[i], range, pixels.height());
        for (int y = 0; y < pixels.height(); ++y) {
            auto* const line = reinterpret_cast<QRgb*>(picture.scanLine(y));
            std::fill(line + x, line + end, inks[shades[static_cast<std::size_t>(y)]]);
        }
        x = end;
    }
    return picture;
}

HistogramPlot::HistogramPlot(const QString& title, const QString& meaning, QWidget* parent)
    : CardChart(
        title,
        meaning + QLatin1Char('\n')
            + tr(
                "The darker, the more values lie there; lines: the median, and where 5 % lie below "
                "and above.\nThe outermost 0.5 % on either side may lie beyond the axis."),
        {}, parent)
{
}

void HistogramPlot::setHistograms(HistogramRow histograms)
{
    m_histograms = std::move(histograms);
    m_range = rangeOf(m_histograms);
    if (m_histograms.empty()) {
        return dataChanged();
    }
    const ValueHistogram& newest = *m_histograms.back();
    setCaption(tr("%1 to %2 · mean %3 · deviation %4")
                   .arg(
                       valueText(newest.minimum), valueText(newest.maximum),
                       valueText(newest.mean()), valueText(newest.deviation())));
}

std::vector<LegendKey> HistogramPlot::legend() const
{
    return {
        {tr("median"), KeyShape::Line, {theme().text}},
        {tr("5 %, 95 %"), KeyShape::Line, {theme().mutedText}}};
}

PlotScale HistogramPlot::scaleWithin(const QRectF& area) const
{
    const auto first = static_cast<double>(m_histograms.front()->step);
    const auto last = static_cast<double>(m_histograms.back()->step);
    return {
        .area = area,
        .axis = XAxis::Step,
        .first = first,
        .last = std::max(first + 1.0, last),
        .bottom = m_range.low,
        .top = m_range.high};
}

void HistogramPlot::paintBody(QPainter& painter, const PlotScale& scale) const
{
    const double ratio = painter.device()->devicePixelRatioF();
    QImage picture = densityPicture(
        m_histograms, m_range, (scale.area.size() * ratio).toSize(),
        {theme().card, theme().accent});
    picture.setDevicePixelRatio(ratio);
    painter.drawImage(scale.area.topLeft(), picture);
    painter.save();
    painter.setClipRect(scale.area);
    painter.setPen(QPen(theme().mutedText, 1.0));
    painter.drawPolyline(quantileLine(m_histograms, scale, kLowShare));
    painter.drawPolyline(quantileLine(m_histograms, scale, kHighShare));
    painter.setPen(QPen(theme().text, 1.4));
    painter.drawPolyline(quantileLine(m_histograms, scale, kMedian));
    painter.restore();
}

std::vector<double> HistogramPlot::places() const
{
    std::vector<double> steps;
    for (const auto& histogram : m_histograms) {
        steps.push_back(static_cast<double>(histogram->step));
    }
    return steps;
}

HoverCard HistogramPlot::cardAt(const ChartPoint& point) const
{
    const ValueHistogram& histogram =
        **std::ranges::min_element(m_histograms, {}, [&](const auto& each) {
            return std::abs(static_cast<double>(each->step) - point.position);
        });
    HoverCard card;
    card.title = tr("step %1").arg(countText(histogram.step));
    if (point.value) {
        const auto bucket = bucketOf(histogram, *point.value);
        const double count = bucket ? histogram.counts[*bucket] : 0.0;
        const BucketSpan span =
            bucket ? bucketSpan(histogram, *bucket) : BucketSpan{*point.value, *point.value};
        card.rows.push_back(
            {bucket ? tr("%1 to %2").arg(valueText(span.low), valueText(span.high))
                    : tr("at %1").arg(valueText(*point.value)),
             {},
             tr("%1 of %2")
                 .arg(countText(std::llround(count)), countText(std::llround(histogram.count))),
             {},
             true});
    }
    card.rows.push_back({tr("median"), theme().text, valueText(quantile(histogram, kMedian))});
    card.rows.push_back(
        {tr("5 %, 95 %"), theme().mutedText,
         tr("%1, %2").arg(
             valueText(quantile(histogram, kLowShare)),
             valueText(quantile(histogram, kHighShare)))});
    card.rows.push_back(
        {tr("mean, deviation"),
         {},
         tr("%1, %2").arg(valueText(histogram.mean()), valueText(histogram.deviation()))});
    return card;
}

} // namespace lockstep::ui
