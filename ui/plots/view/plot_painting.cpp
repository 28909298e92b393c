// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/plot_painting.h"

#include "plots/curves/curve_style.h"
#include "plots/view/plot_view.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

constexpr double kCardRadius = 6.0;
constexpr double kDotRoom = 3.0; // a dot on the edge is whole

constexpr double kBetweenLabels = 34.0;
/// Between two lines of the grid, in heights of a label: small charts have them closer.
constexpr double kClosestLines = 1.5;
constexpr double kWidestLines = 3.0;
constexpr double kLinesInTallChart = 7.0;
constexpr double kLeastMargin = 2.0;
/// A label reaches no higher above the area: there the title stands.
constexpr double kAboveLabels = 4.0;

QString axisName(XAxis axis)
{
    return axis == XAxis::Epoch      ? PlotView::tr("epoch")
           : axis == XAxis::Examples ? PlotView::tr("examples")
           : axis == XAxis::WallTime ? PlotView::tr("time")
                                     : PlotView::tr("step");
}

/// On the middle of a pixel: a hairline is sharp there.
double sharp(double coordinate)
{
    return std::floor(coordinate) + 0.5;
}

/// The axis is named in the margin; a label that would run into the name makes way.
void paintXLabels(
    QPainter& painter, const PlotScale& scale, const PlotGrid& grid, const QFontMetricsF& metrics)
{
    constexpr double kNameGap = 8.0;
    const double top = scale.area.bottom() + kLabelsFromAxis;
    const double height = metrics.height();
    const double nameWidth = metrics.horizontalAdvance(grid.xName);
    double nameRight = scale.area.left() - kNameGap - kLabelsFromAxis;
    for (const Tick& tick : grid.x) {
        const double width = metrics.horizontalAdvance(tick.label) + 2.0;
        const double left = std::min(
            scale.pixelX(tick.value) - width / 2, scale.area.right() + kLabelsFromAxis - width);
        if (left - kNameGap >= nameWidth + kLeastMargin) {
            painter.drawText(QRectF(left, top, width, height), Qt::AlignCenter, tick.label);
            nameRight = std::min(nameRight, left - kNameGap);
        }
    }
    painter.drawText(
        QRectF(0, top, nameRight, height), Qt::AlignRight | Qt::AlignVCenter, grid.xName);
}

void paintDotsOf(
    QPainter& painter, const PlotScale& scale, const Curve& curve, const ThemeColors& theme)
{
    const bool isMain =
        !curve.isOverlay() && (curve.kind == CurveKind::Points || curve.isUnsmoothed());
    QColor color = curveColor(curve, theme);
    color.setAlphaF(isMain ? 1.0F : 0.45F);
    painter.setBrush(color);
    const RowRange rows = visibleRows(curve.store->timeline(), scale, 1 << 30);
    for (std::int64_t row = rows.first; row < rows.end; ++row) {
        const double value = curve.series().at(row);
        const double x = scale.pixelX(curve.store->timeline().positionAt(scale.axis, row));
        const bool isInside = x >= scale.area.left() - 1 && x <= scale.area.right() + 1;
        if (isInside && std::isfinite(value) && (!scale.isLogarithmic || value > 0.0)) {
            painter.drawEllipse(
                QPointF(x, scale.pixelY(value)), isMain ? 2.8 : 2.0, isMain ? 2.8 : 2.0);
        }
    }
}

/// Where labels would run into each other only every second, fifth or tenth keeps its own, 0 among
/// them.
void thinLabels(std::vector<Tick>& ticks, const PlotScale& scale, double lineHeight)
{
    if (scale.isLogarithmic || ticks.size() < 2) {
        return;
    }
    const double step = ticks[1].value - ticks[0].value;
    const double distance = scale.pixelY(ticks[0].value) - scale.pixelY(ticks[1].value);
    for (const std::int64_t every : {1, 2, 5, 10}) {
        if (static_cast<double>(every) * distance >= lineHeight || every == 10) {
            for (Tick& tick : ticks) {
                if (std::llround(tick.value / step) % every != 0) {
                    tick.label.clear();
                }
            }
            return;
        }
    }
}

QString titleOf(const Moment& moment)
{
    const ValueFormat epochFormat{1.0, moment.epoch < 10.0 ? 2 : 1, {}};
    return PlotView::tr("step %1 · epoch %2 · %3")
        .arg(
            countText(moment.step), numberText(moment.epoch, epochFormat),
            durationText(moment.wallSeconds));
}

/// With the step where it is another one; of another run's evaluations that goes without saying.
QString nameOf(const Curve& curve, std::int64_t row, const Moment& moment, XAxis axis)
{
    return curve.kind == CurveKind::OverlayPoints || !isBefore(curve, row, moment, axis)
               ? curve.name
               : PlotView::tr("%1 (step %2)")
                     .arg(curve.name, countText(curve.store->timeline().stepAt(row)));
}

} // namespace

void paintCard(QPainter& painter, const QRect& card, const ThemeColors& theme)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.card);
    painter.drawRoundedRect(card, kCardRadius, kCardRadius);
}

void paintFocusRing(QPainter& painter, const QRect& card, const ThemeColors& theme)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), kCardRadius, kCardRadius);
}

PlotGrid plotGrid(const PlotScale& scale, const ValueFormat& format, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const double distance = std::clamp(
        scale.area.height() / kLinesInTallChart, kClosestLines * metrics.height(),
        kWidestLines * metrics.height());
    const int mostY = std::max(2, static_cast<int>(scale.area.height() / distance));
    PlotGrid grid;
    grid.y = scale.isLogarithmic ? logarithmicTicks(scale.bottom, scale.top, mostY, format)
                                 : linearTicks(scale.bottom, scale.top, mostY, format);
    thinLabels(grid.y, scale, metrics.ascent());
    // How many labels fit depends on how long they are, which the ticks decide: once is close
    // enough.
    const auto xTicksOf = [&scale](int most) {
        return xTicks(scale.axis, scale.first, scale.last, most, scale.isXLogarithmic);
    };
    double widest = metrics.horizontalAdvance(QStringLiteral("0,000"));
    for (const Tick& tick : xTicksOf(4)) {
        widest = std::max(widest, metrics.horizontalAdvance(tick.label));
    }
    const int mostX = std::max(2, static_cast<int>(scale.area.width() / (widest + kBetweenLabels)));
    grid.x = xTicksOf(mostX);
    grid.xName = axisName(scale.axis);
    return grid;
}

void paintGrid(
    QPainter& painter, const PlotScale& scale, const PlotGrid& grid, const QFont& font,
    const ThemeColors& theme)
{
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    double free = std::numeric_limits<double>::infinity(); // labels from below need room
    for (const Tick& tick : grid.y) {
        const double y = sharp(scale.pixelY(tick.value));
        painter.setPen(QPen(theme.grid, 1.0));
        painter.drawLine(QPointF(scale.area.left(), y), QPointF(scale.area.right(), y));
        if (y > free || tick.label.isEmpty()) {
            continue;
        }
        painter.setPen(theme.mutedText);
        painter.drawText(
            QRectF(
                0, std::max(y - metrics.height() / 2, scale.area.top() - kAboveLabels),
                scale.area.left() - kLabelsFromAxis - 2, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, tick.label);
        free = y - metrics.ascent();
    }
    painter.setPen(QPen(theme.grid, 1.0));
    for (const Tick& tick : grid.x) {
        const double x = sharp(scale.pixelX(tick.value));
        painter.drawLine(QPointF(x, scale.area.bottom()), QPointF(x, scale.area.bottom() + 4));
    }
    if (grid.hasXLabels) {
        painter.setPen(theme.mutedText);
        paintXLabels(painter, scale, grid, metrics);
    }
}

void paintReference(
    QPainter& painter, const PlotScale& scale, double value, const ThemeColors& theme)
{
    const double y = sharp(scale.pixelY(value));
    if (y >= scale.area.top() && y <= scale.area.bottom()) {
        painter.setPen(QPen(theme.mutedText, 1.0, Qt::DashLine));
        painter.drawLine(QPointF(scale.area.left(), y), QPointF(scale.area.right(), y));
    }
}

void paintDots(
    QPainter& painter, const PlotScale& scale, const std::vector<Curve>& curves,
    const ThemeColors& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setClipRect(scale.area.adjusted(-kDotRoom, -kDotRoom, kDotRoom, kDotRoom));
    for (const Curve& curve : curves) {
        const bool isLineOnly = curve.kind == CurveKind::Rolling || curve.kind == CurveKind::Overlay
                                || (curve.band && curve.kind != CurveKind::Mean);
        if (!isLineOnly && hasDots(curve, scale)) {
            paintDotsOf(painter, scale, curve, theme);
        }
    }
    painter.restore();
}

void paintCursorDots(
    QPainter& painter, const PlotScale& scale, const std::vector<Curve>& curves,
    const Moment& moment, const ThemeColors& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.card, 1.2));
    const double x = scale.pixelX(positionOf(moment, scale.axis));
    for (const Curve& curve : curves) {
        const std::int64_t row = rowAt(curve, moment, scale.axis);
        const bool isThere = row >= 0 && !isBefore(curve, row, moment, scale.axis);
        const double value = isThere ? curve.series().smoothedAt(row) : NAN;
        if (value >= scale.bottom && value <= scale.top) { // one off scale has no dot
            painter.setBrush(curveColor(curve, theme));
            painter.drawEllipse(QPointF(x, scale.pixelY(value)), 3.6, 3.6);
        }
    }
    painter.restore();
}

HoverCard cursorCard(
    const std::vector<Curve>& curves, const Moment& moment, XAxis axis, const ValueFormat& format,
    const ThemeColors& theme)
{
    HoverCard card;
    card.title = titleOf(moment);
    for (const Curve& curve : curves) {
        const std::int64_t row = rowAt(curve, moment, axis);
        const double value = row < 0 ? NAN : curve.series().at(row);
        if (row < 0 || (curve.isAlwaysTold && std::isnan(value))) {
            continue;
        }
        HoverCard::Row entry;
        entry.name = nameOf(curve, row, moment, axis);
        entry.color = curveColor(curve, theme);
        entry.value = std::isnan(value) && !curve.isMarkingFaults ? QStringLiteral("–")
                                                                  : numberText(value, format);
        entry.smoothed =
            curve.isUnsmoothed() ? QString() : numberText(curve.series().smoothedAt(row), format);
        entry.isBold = curve.kind == CurveKind::Mean;
        entry.isBehind = curve.isOverlay();
        card.hasSmoothed = card.hasSmoothed || !curve.isUnsmoothed();
        card.rows.push_back(entry);
    }
    return card;
}

} // namespace lockstep::ui
