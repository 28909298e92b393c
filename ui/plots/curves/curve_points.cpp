// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

const QPointF kBreak(
    std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());

bool isBreak(const QPointF& point)
{
    return std::isnan(point.y());
}

/// Lays dashes along a line, point by point.
class Dasher
{
public:
    Dasher(double dash, double gap) : m_lengths{dash, gap} {}

    void moveTo(const QPointF& point)
    {
        m_at = point;
        m_left = m_lengths[0];
        m_isGap = false;
        m_points << point;
    }

    void lineTo(const QPointF& point)
    {
        const double length = std::hypot(point.x() - m_at.x(), point.y() - m_at.y());
        // A steep stretch counts as a few dashes at most.
        const double scale =
            std::min(1.0, kMostDashes * (m_lengths[0] + m_lengths[1]) / std::max(length, 1e-9));
        double done = 0.0;
        while ((length - done) * scale > m_left) {
            done += m_left / scale;
            turn(m_at + (point - m_at) * (done / length));
        }
        m_left -= (length - done) * scale;
        m_at = point;
        if (!m_isGap) {
            m_points << point;
        }
    }

    void lift() { m_points << kBreak; }
    [[nodiscard]] QList<QPointF> points() const { return m_points; }

private:
    static constexpr double kMostDashes = 3.0;

    void turn(const QPointF& point)
    {
        m_points << point;
        m_isGap = !m_isGap;
        m_left = m_lengths[m_isGap ? 1 : 0];
        if (m_isGap) {
            m_points << kBreak;
        }
    }

    double m_lengths[2];
    QList<QPointF> m_points;
    QPointF m_at;
    double m_left = 0.0;
    bool m_isGap = false;
};

} // namespace

RowRange visibleRows(const Timeline& timeline, const PlotScale& scale, int most)
{
    RowRange rows;
    rows.first = std::max<std::int64_t>(0, timeline.firstRowFrom(scale.axis, scale.first) - 1);
    rows.end = std::min(timeline.size(), timeline.firstRowFrom(scale.axis, scale.last) + 1);
    const std::int64_t count = rows.end - rows.first;
    rows.stride = std::max<std::int64_t>(1, (count + most - 1) / std::max(1, most));
    rows.first -= rows.first % rows.stride;
    return rows;
}

QList<QPointF> curvePoints(const Curve& curve, const PlotScale& scale, const RowRange& rows)
{
    const Series& series = curve.series();
    QList<QPointF> points;
    points.reserve((rows.end - rows.first) / rows.stride + 2);
    const auto add = [&](std::int64_t row) {
        const double value = series.smoothedAt(row);
        const bool isShown = std::isfinite(value) && (!scale.isLogarithmic || value > 0.0);
        const double x = scale.pixelX(curve.store->timeline().positionAt(scale.axis, row));
        points << (isShown ? QPointF(x, scale.pixelY(value)) : kBreak);
    };
    for (std::int64_t row = rows.first; row < rows.end; row += rows.stride) {
        add(row);
    }
    if (rows.first < rows.end && (rows.end - 1 - rows.first) % rows.stride != 0) {
        add(rows.end - 1);
    }
    return points;
}

QList<QPointF> dashed(const QList<QPointF>& points, double dash, double gap)
{
    Dasher dasher(dash, gap);
    bool isDown = false;
    for (const QPointF& point : points) {
        if (isBreak(point)) {
            dasher.lift();
        } else if (isDown) {
            dasher.lineTo(point);
        } else {
            dasher.moveTo(point);
        }
        isDown = !isBreak(point);
    }
    return dasher.points();
}

} // namespace lockstep::ui
