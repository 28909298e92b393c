// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/line_plot.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr double kRoomAbove = 1.08;
/// Of a logarithmic axis, on both ends.
constexpr double kRoomAround = 1.6;
constexpr double kMarkHeight = 5.0;

bool isNumber(const QPointF& point)
{
    return !std::isnan(point.y());
}

/// The point of a curve that is closest to a place; nullptr without points.
const QPointF* nearestPoint(const LineCurve& curve, double position)
{
    const auto& points = curve.points;
    const auto behind = std::ranges::lower_bound(points, position, {}, &QPointF::x);
    const auto next = std::find_if(behind, points.end(), isNumber);
    const auto before = std::find_if(std::make_reverse_iterator(behind), points.rend(), isNumber);
    if (before == points.rend()) {
        return next == points.end() ? nullptr : &*next;
    }
    const bool isBeforeCloser =
        next == points.end() || position - before->x() < next->x() - position;
    return isBeforeCloser ? &*before : &*next;
}

constexpr double kLineWidth = 1.5;
constexpr double kDotRadius = 3.5;
/// So few points get a dot each: one alone makes no line.
constexpr qsizetype kMostDots = 3;
constexpr double kSmallDotRadius = 1.2;

/// Far outside it ends where painting still can count.
QPointF placeOf(const PlotScale& scale, double x, double y)
{
    constexpr double kFar = 1e6;
    const double height =
        scale.isLogarithmic && y <= 0.0 ? scale.area.bottom() + kFar : scale.pixelY(y);
    return {std::clamp(scale.pixelX(x), -kFar, kFar), std::clamp(height, -kFar, kFar)};
}

void paintDots(
    QPainter& painter, const PlotScale& scale, const LineCurve& curve, const QColor& color)
{
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const QPointF point = curve.points[i];
        if (i < curve.ranges.size()) {
            const QPointF from = placeOf(scale, point.x(), curve.ranges[i].first);
            const QPointF to = placeOf(scale, point.x(), curve.ranges[i].second);
            const double middle = std::floor(from.x()) + 0.5; // of a column of pixels: sharp
            painter.setPen(QPen(color, 1.0));
            painter.drawLine(QPointF(middle, from.y()), QPointF(middle, to.y()));
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(placeOf(scale, point.x(), point.y()), kDotRadius, kDotRadius);
    }
}

void paintStroke(QPainter& painter, const QPolygonF& line, const QColor& color)
{
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    if (line.size() <= kMostDots) {
        painter.setBrush(color);
        for (const QPointF& point : line) {
            painter.drawEllipse(point, kSmallDotRadius, kSmallDotRadius);
        }
    }
}

void paintLine(
    QPainter& painter, const PlotScale& scale, const LineCurve& curve, const QColor& color)
{
    QPen pen(color, kLineWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    if (curve.style == KeyShape::Dashes) {
        pen.setCapStyle(Qt::FlatCap);
        pen.setDashPattern({4.0, 3.0});
    }
    painter.setPen(pen);
    QPolygonF line;
    for (const QPointF& point : curve.points) {
        if (std::isnan(point.y())) {
            paintStroke(painter, line, color);
            line.clear();
        } else {
            line << placeOf(scale, point.x(), point.y());
        }
    }
    paintStroke(painter, line, color);
}

} // namespace

LinePlot::LinePlot(const Settings& settings, QWidget* parent)
    : CardChart(settings.title, settings.meaning, settings.format, parent), m_settings(settings)
{
}

void LinePlot::setCurves(std::vector<LineCurve> curves, const QString& caption)
{
    m_curves = std::move(curves);
    setCaption(caption);
}

void LinePlot::setMarks(std::vector<LineMark> marks)
{
    m_marks = std::move(marks);
    dataChanged();
}

void LinePlot::setSpan(double first, double last)
{
    m_first = first;
    m_last = m_settings.isXLogarithmic ? last : std::max(last, first + 1.0);
    dataChanged();
}

void LinePlot::setValueSpan(double bottom, double top)
{
    m_values = {bottom, top};
    dataChanged();
}

bool LinePlot::isEmpty() const
{
    return std::ranges::all_of(
        m_curves, [](const LineCurve& curve) { return curve.points.empty(); });
}

std::vector<LegendKey> LinePlot::legend() const
{
    std::vector<LegendKey> keys;
    for (const LineCurve& curve : m_curves) {
        if (!curve.name.isEmpty()) {
            keys.push_back({curve.name, curve.style, {inkColor(curve.ink, curve.color, theme())}});
        }
    }
    return keys.size() > 1 ? keys : std::vector<LegendKey>(); // one is named by the title
}

PlotScale LinePlot::scaleWithin(const QRectF& area) const
{
    PlotScale scale{
        .area = area,
        .axis = m_settings.axis,
        .first = m_first,
        .last = m_last,
        .isXLogarithmic = m_settings.isXLogarithmic};
    double least = 0.0;
    double leastPositive = std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (const LineCurve& curve : m_curves) {
        for (const QPointF& point : curve.points) { // what is not a number changes none of them
            least = std::min(least, point.y());
            leastPositive = point.y() > 0.0 ? std::min(leastPositive, point.y()) : leastPositive;
            most = std::max(most, point.y());
        }
    }
    const double ceiling = m_settings.ceiling.value_or(0.0);
    scale.isLogarithmic = m_settings.isLogarithmic;
    if (m_settings.isLogarithmic) {
        scale.bottom = most > 0.0 ? leastPositive / kRoomAround : 0.1;
        scale.top = most > 0.0 ? most * kRoomAround : 1.0;
    } else if (m_values) {
        std::tie(scale.bottom, scale.top) = *m_values;
    } else {
        scale.bottom = kRoomAbove * least;
        scale.top = most > ceiling ? kRoomAbove * most : ceiling > 0.0 ? ceiling : 1.0;
    }
    return scale;
}

/// Clipped to the scale's area, except for dots at its edge.
void LinePlot::paintBody(QPainter& painter, const PlotScale& scale) const
{
    for (const LineCurve& curve : m_curves) {
        const QColor color = inkColor(curve.ink, curve.color, theme());
        const bool isDots = curve.style == KeyShape::Dot;
        const double edge = isDots ? kDotRadius + 1.0 : 2.0;
        painter.save();
        painter.setClipRect(scale.area.adjusted(-edge, -edge, edge, edge));
        (isDots ? paintDots : paintLine)(painter, scale, curve, color);
        painter.restore();
    }
    paintMarks(painter, scale);
}

/// A line with its text, on the side that has the room; triangles at the upper edge, as many as
/// there is room for.
void LinePlot::paintMarks(QPainter& painter, const PlotScale& scale) const
{
    double free = -std::numeric_limits<double>::infinity();
    for (const LineMark& mark : m_marks) {
        const double x = scale.pixelX(mark.position);
        if (x < free) {
            continue;
        }
        if (mark.isLine) {
            painter.setPen(QPen(theme().text, 1.0, Qt::DashLine));
            painter.drawLine(QPointF(x, scale.area.top()), QPointF(x, scale.area.bottom()));
            const bool isLeft = x > scale.area.center().x();
            const QRectF room = isLeft ? scale.area.adjusted(0, 0, x - scale.area.right() - 5, 0)
                                       : scale.area.adjusted(x - scale.area.left() + 5, 0, 0, 0);
            painter.drawText(
                room, Qt::AlignBottom | (isLeft ? Qt::AlignRight : Qt::AlignLeft), mark.text);
            continue;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().alert);
        const QPointF tip(x, scale.area.top() + kMarkHeight);
        const QPointF corners[] = {
            tip, tip + QPointF(-kMarkHeight / 2, -kMarkHeight),
            tip + QPointF(kMarkHeight / 2, -kMarkHeight)};
        painter.drawPolygon(corners, 3);
        free = x + kMarkHeight;
    }
}

/// Of what was measured at a few places, else of the curve with most points: the others are at the
/// same places, or missing.
std::vector<double> LinePlot::places() const
{
    const auto dots = std::ranges::find(m_curves, KeyShape::Dot, &LineCurve::style);
    const auto longest = dots != m_curves.end()
                             ? dots
                             : std::ranges::max_element(m_curves, {}, [](const LineCurve& curve) {
                                   return curve.points.size();
                               });
    std::vector<double> places;
    for (const QPointF& point : longest->points) {
        if (isNumber(point) && (places.empty() || point.x() != places.back())) {
            places.push_back(point.x());
        }
    }
    return places;
}

HoverCard LinePlot::cardAt(const ChartPoint& point) const
{
    HoverCard card;
    card.title = m_settings.placeText ? m_settings.placeText(point.position)
                 : m_settings.axis == XAxis::WallTime
                     ? durationText(point.position)
                     : tr("step %1").arg(countText(std::llround(point.position)));
    for (const LineCurve& curve : m_curves) {
        const QPointF* const nearest = nearestPoint(curve, point.position);
        if (nearest != nullptr) {
            card.rows.push_back(
                {curve.name, inkColor(curve.ink, curve.color, theme()),
                 numberText(nearest->y(), m_settings.format)});
        }
    }
    for (const LineMark& mark : m_marks) {
        if (mark.position == point.position) {
            card.rows.push_back({mark.text, theme().alert, {}});
        }
    }
    return card;
}

} // namespace lockstep::ui
