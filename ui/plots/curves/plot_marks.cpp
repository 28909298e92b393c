// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/plot_marks.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

constexpr double kMarkReachAcross = 9.0;
constexpr double kMarkReach = 5.0;

void paintCross(QPainter& painter, const QPointF& centre, const QColor& color)
{
    constexpr double kArm = 3.0;
    painter.setPen(QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(centre + QPointF(-kArm, -kArm), centre + QPointF(kArm, kArm));
    painter.drawLine(centre + QPointF(-kArm, kArm), centre + QPointF(kArm, -kArm));
}

/// Upwards or downwards.
void paintTriangle(QPainter& painter, const QPointF& tip, double height, const QColor& color)
{
    constexpr double kHalf = 3.5;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const QPointF corners[] = {tip, tip + QPointF(-kHalf, height), tip + QPointF(kHalf, height)};
    painter.drawPolygon(corners, 3);
}

bool isAtTop(PlotMark::Kind kind)
{
    return kind == PlotMark::Kind::NotFinite || kind == PlotMark::Kind::AboveScale;
}

bool isAt(const PlotMark& mark, const PlotScale& scale, QPointF point)
{
    const double y = isAtTop(mark.kind) ? scale.area.top() : scale.area.bottom();
    const double x = point.x() - scale.area.left();
    return std::abs(point.y() - y) <= kMarkReachAcross
           && x >= std::min(mark.left, mark.x - kMarkReach)
           && x <= std::max(mark.right, mark.x + kMarkReach);
}

/// What the rows under a mark hold of its kind.
struct MarkedValues
{
    std::int64_t count = 0;
    float extreme = std::numeric_limits<float>::quiet_NaN();

    void add(std::int64_t values, float value)
    {
        count += values;
        extreme = values > 0 && !(std::abs(value) <= std::abs(extreme)) ? value : extreme;
    }
};

MarkedValues valuesUnder(
    const std::vector<Curve>& curves, const PlotScale& scale, const PlotMark& mark)
{
    MarkedValues values;
    for (const Curve& curve : curves) {
        const Timeline& timeline = curve.store->timeline();
        const Series& series = curve.series();
        const auto row = [&](double x) {
            return timeline.firstRowFrom(scale.axis, scale.positionAtPixel(scale.area.left() + x));
        };
        const std::int64_t first = row(mark.left);
        const std::int64_t end = row(mark.right);
        const Extent extent = series.extent(first, end);
        constexpr float kLeast = std::numeric_limits<float>::denorm_min();
        switch (mark.kind) {
        case PlotMark::Kind::NotFinite:
            values.add(curve.isMarkingFaults ? extent.notFinite : 0, 0.0F);
            break;
        case PlotMark::Kind::NotPositive:
            values.add(series.countBelow(first, end, kLeast), extent.minimum);
            break;
        case PlotMark::Kind::AboveScale:
            values.add(
                series.countAbove(first, end, static_cast<float>(scale.top)), extent.maximum);
            break;
        case PlotMark::Kind::BelowScale:
            values.add(
                series.countBelow(first, end, static_cast<float>(scale.bottom)),
                scale.isLogarithmic ? extent.minimumPositive : extent.minimum);
            break;
        }
    }
    return values;
}

struct MarkText
{
    Q_DECLARE_TR_FUNCTIONS(MarkText)
};

} // namespace

bool isOffScale(PlotMark::Kind kind)
{
    return kind == PlotMark::Kind::AboveScale || kind == PlotMark::Kind::BelowScale;
}

void paintMarks(
    QPainter& painter, const PlotScale& scale, const std::vector<PlotMark>& marks,
    const ThemeColors& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    constexpr double kTriangle = 6.0;
    constexpr double kStretchHeight = 2.0;
    const QRectF& area = scale.area;
    for (const PlotMark& mark : marks) {
        const double x = area.left() + mark.x;
        const QColor color = isOffScale(mark.kind) ? theme.text : theme.alert;
        const double edge = isAtTop(mark.kind) ? area.top() - 1 : area.bottom();
        if (mark.right - mark.left > 2 * kMarkReach) { // it stands for more than it covers
            painter.fillRect(
                QRectF(area.left() + mark.left, edge, mark.right - mark.left, kStretchHeight),
                color);
        }
        if (mark.kind == PlotMark::Kind::NotFinite) {
            paintCross(painter, {x, area.top() + 5}, color);
        } else if (isAtTop(mark.kind)) {
            paintTriangle(painter, {x, edge}, kTriangle, color);
        } else {
            paintTriangle(painter, {x, edge + (isOffScale(mark.kind) ? 1 : 0)}, -kTriangle, color);
        }
    }
    painter.restore();
}

QString markText(
    const std::vector<PlotMark>& marks, const std::vector<Curve>& curves, const PlotScale& scale,
    const ValueFormat& format, QPointF point)
{
    const auto mark =
        std::ranges::find_if(marks, [&](const PlotMark& each) { return isAt(each, scale, point); });
    if (mark == marks.end()) {
        return {};
    }
    const MarkedValues values = valuesUnder(curves, scale, *mark);
    const QString count = countText(values.count);
    const QString extreme = numberText(values.extreme, format);
    switch (mark->kind) {
    case PlotMark::Kind::NotFinite:
        return MarkText::tr("Here: %1 × not a number").arg(count);
    case PlotMark::Kind::NotPositive:
        return MarkText::tr("Here: %1 × 0 or less, which a logarithmic axis has no place for")
            .arg(count);
    case PlotMark::Kind::AboveScale:
        return MarkText::tr("Here: %1 × above the chart, up to %2").arg(count, extreme);
    case PlotMark::Kind::BelowScale:
        return MarkText::tr("Here: %1 × below the chart, down to %2").arg(count, extreme);
    }
    return {};
}

} // namespace lockstep::ui
