// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

const QPointF kBreak(
    std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN());

/// Whether the place lies before the first row, which stands for as many steps as the second does,
/// or behind the last one.
bool isOutside(const Timeline& timeline, XAxis axis, double place)
{
    const std::int64_t last = timeline.size() - 1;
    if (last < 1) {
        return true;
    }
    const double first = timeline.positionAt(axis, 0);
    const double begin = first - (timeline.positionAt(axis, 1) - first);
    return place <= begin || place > timeline.positionAt(axis, last);
}

} // namespace

QColor inkColor(Ink ink, int number, const ThemeColors& theme)
{
    return ink == Ink::Muted     ? theme.mutedText
           : ink == Ink::Accent  ? theme.accent
           : ink == Ink::Tower   ? towerColor(number, theme)
           : ink == Ink::Overlay ? overlayColor(number, theme)
                                 : theme.text;
}

std::optional<ColorOwner> colorOwner(const Curve& curve)
{
    using Kind = ColorOwner::Kind;
    const bool isOwned =
        curve.ink == Ink::Tower || (curve.ink == Ink::Overlay && curve.isOverlay());
    const Kind kind = curve.ink == Ink::Tower ? Kind::Tower : Kind::Overlay;
    return isOwned ? std::optional(ColorOwner{kind, curve.tower}) : std::nullopt;
}

Curve overlayCurve(const PlotOverlay& overlay, const SeriesStore& store, int seriesIndex)
{
    Curve curve{
        &store,
        seriesIndex,
        overlay.name,
        CurveKind::Overlay,
        overlay.isAbandoned ? Ink::Muted : Ink::Overlay,
        overlay.color,
        false};
    curve.isAbandoned = overlay.isAbandoned;
    curve.isForeign = overlay.isForeign;
    return curve;
}

void emphasise(std::vector<Curve>& curves, std::optional<int> tower)
{
    const auto isIts = [&](const Curve& curve) {
        return curve.isOfTower() && curve.tower == tower;
    };
    if (!tower || std::ranges::none_of(curves, isIts)) {
        return;
    }
    for (Curve& curve : curves) {
        if (curve.isOfTower()) {
            curve.emphasis = isIts(curve) ? Emphasis::Strong : Emphasis::Faded;
        }
    }
}

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

QList<QPointF> curvePoints(
    const Curve& curve, const PlotScale& scale, const RowRange& rows, int distance, double times)
{
    const Series& series = curve.series();
    const Series* const away = times == 0.0 ? nullptr : &curve.store->series(distance);
    QList<QPointF> points;
    points.reserve((rows.end - rows.first) / rows.stride + 2);
    const auto add = [&](std::int64_t row) {
        const double line = series.smoothedAt(row);
        const double value = line + (away == nullptr ? 0.0 : times * away->smoothedAt(row));
        const bool isShown = std::isfinite(value) && (!scale.isLogarithmic || line > 0.0);
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

std::int64_t rowAt(const Curve& curve, const Moment& moment, XAxis axis)
{
    const Timeline& timeline = curve.store->timeline();
    if (curve.kind == CurveKind::Overlay) {
        if (curve.isAbandoned && isOutside(timeline, axis, positionOf(moment, axis))) {
            return -1;
        }
        return std::min(timeline.firstRowFrom(axis, positionOf(moment, axis)), timeline.size() - 1);
    }
    const double position = curve.isOverlay() && axis != XAxis::Step
                                ? positionOf(moment, axis)
                                : static_cast<double>(moment.step) + 0.5;
    const XAxis searched = curve.isOverlay() ? axis : XAxis::Step;
    return timeline.firstRowFrom(searched, position) - 1;
}

bool isBefore(const Curve& curve, std::int64_t row, const Moment& moment, XAxis axis)
{
    const Timeline& timeline = curve.store->timeline();
    return curve.isOverlay() ? timeline.positionAt(axis, row) < positionOf(moment, axis)
                             : timeline.stepAt(row) != moment.step;
}

std::optional<int> towerNear(
    const std::vector<Curve>& curves, const PlotScale& scale, const Moment& moment, double y)
{
    constexpr double kReach = 6.0;
    double least = kReach;
    std::optional<int> tower;
    for (const Curve& curve : curves) {
        const std::int64_t row = curve.isOfTower() || curve.kind == CurveKind::Mean
                                     ? rowAt(curve, moment, scale.axis)
                                     : -1;
        const double distance =
            row < 0 ? NAN : std::abs(scale.pixelY(curve.series().smoothedAt(row)) - y);
        if (distance <= least) {
            least = distance;
            tower = curve.isOfTower() ? std::optional(curve.tower) : std::nullopt;
        }
    }
    return tower;
}

} // namespace lockstep::ui
