// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/charts/line_plot.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
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
    const QPointF* nearest = nullptr;
    const auto behind = std::ranges::lower_bound(curve.points, position, {}, &QPointF::x);
    const auto consider = [&](auto point) {
        if (!nearest || std::abs(point->x() - position) < std::abs(nearest->x() - position)) {
            nearest = &*point;
        }
    };
    const auto next = std::find_if(behind, curve.points.end(), isNumber);
    if (next != curve.points.end()) {
        consider(next);
    }
    const auto before =
        std::find_if(std::make_reverse_iterator(behind), curve.points.rend(), isNumber);
    if (before != curve.points.rend()) {
        consider(before);
    }
    return nearest;
}

} // namespace

LinePlot::LinePlot(const Settings& settings, QWidget* parent)
    : CardChart(settings.title, parent), m_settings(settings)
{
    setValueFormat(settings.format);
}

void LinePlot::setCurves(std::vector<LineCurve> curves, const QString& caption)
{
    m_curves = std::move(curves);
    m_caption = caption;
    dataChanged();
}

void LinePlot::setMarks(std::vector<LineMark> marks)
{
    m_marks = std::move(marks);
    dataChanged();
}

void LinePlot::setSpan(double first, double last)
{
    m_first = first;
    m_last = std::max(last, first + 1.0);
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
            keys.push_back(lineKey(curve, theme()));
        }
    }
    return keys.size() > 1 ? keys : std::vector<LegendKey>(); // one is named by the title
}

PlotScale LinePlot::scaleWithin(const QRectF& area) const
{
    PlotScale scale;
    scale.area = area;
    scale.axis = m_settings.axis;
    scale.first = m_first;
    scale.last = m_last;
    if (m_settings.isLogarithmic) {
        fitLogarithmically(scale);
        return scale;
    }
    scale.bottom = 0.0;
    scale.top = m_settings.ceiling.value_or(0.0);
    for (const LineCurve& curve : m_curves) {
        for (const QPointF& point : curve.points) {
            if (isNumber(point)) {
                const bool isAbove = point.y() > m_settings.ceiling.value_or(0.0);
                scale.top = std::max(scale.top, isAbove ? kRoomAbove * point.y() : 0.0);
                scale.bottom = std::min(scale.bottom, kRoomAbove * point.y());
            }
        }
    }
    scale.top = scale.top > 0.0 ? scale.top : 1.0;
    return scale;
}

void LinePlot::fitLogarithmically(PlotScale& scale) const
{
    double least = std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (const LineCurve& curve : m_curves) {
        for (const QPointF& point : curve.points) {
            if (point.y() > 0.0) {
                least = std::min(least, point.y());
                most = std::max(most, point.y());
            }
        }
    }
    scale.isLogarithmic = true;
    scale.bottom = most > 0.0 ? least / kRoomAround : 0.1;
    scale.top = most > 0.0 ? most * kRoomAround : 1.0;
}

void LinePlot::paintBody(QPainter& painter, const PlotScale& scale) const
{
    for (const LineCurve& curve : m_curves) {
        paintLineCurve(painter, scale, curve, theme());
    }
    paintMarks(painter, scale);
}

/// Triangles at the upper edge, as many as there is room for.
void LinePlot::paintMarks(QPainter& painter, const PlotScale& scale) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().alert);
    double free = -std::numeric_limits<double>::infinity();
    for (const LineMark& mark : m_marks) {
        const double x = scale.pixelX(mark.position);
        if (x < free) {
            continue;
        }
        const QPointF tip(x, scale.area.top() + kMarkHeight);
        const QPointF corners[] = {
            tip, tip + QPointF(-kMarkHeight / 2, -kMarkHeight),
            tip + QPointF(kMarkHeight / 2, -kMarkHeight)};
        painter.drawPolygon(corners, 3);
        free = x + kMarkHeight;
    }
}

double LinePlot::placeNear(double position, int steps) const
{
    // Of what was measured at a few places, else of the curve with most points: the others are at
    // the same places, or missing.
    const auto dots = std::ranges::find(m_curves, LineCurve::Style::Dots, &LineCurve::style);
    const auto longest = dots != m_curves.end()
                             ? dots
                             : std::ranges::max_element(m_curves, {}, [](const LineCurve& curve) {
                                   return curve.points.size();
                               });
    const QPointF* const nearest = nearestPoint(*longest, position);
    if (nearest == nullptr) {
        return position;
    }
    const auto& points = longest->points;
    const std::ptrdiff_t direction = steps < 0 ? -1 : 1;
    std::ptrdiff_t place = nearest - points.data();
    double found = nearest->x();
    for (std::ptrdiff_t left = std::abs(steps); left > 0;) {
        place += direction;
        if (place < 0 || place >= std::ssize(points)) {
            break;
        }
        const QPointF& point = points[static_cast<std::size_t>(place)];
        if (isNumber(point) && point.x() != found) {
            found = point.x();
            --left;
        }
    }
    return found;
}

QString LinePlot::titleAt(double position) const
{
    if (!m_settings.place.isEmpty()) {
        return m_settings.place.arg(countText(std::llround(position)));
    }
    return m_settings.axis == XAxis::WallTime
               ? durationText(position)
               : tr("step %1").arg(countText(std::llround(position)));
}

HoverCard LinePlot::cardAt(const ChartPoint& point) const
{
    HoverCard card;
    card.title = titleAt(point.position);
    for (const LineCurve& curve : m_curves) {
        const QPointF* const nearest = nearestPoint(curve, point.position);
        if (nearest != nullptr) {
            card.rows.push_back(
                {curve.name,
                 lineColor(curve, theme()),
                 numberText(nearest->y(), valueFormat()),
                 {}});
        }
    }
    for (const LineMark& mark : m_marks) {
        if (mark.position == point.position) {
            card.rows.push_back({mark.text, theme().alert, {}, {}});
        }
    }
    return card;
}

} // namespace lockstep::ui
