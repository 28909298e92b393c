// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curves/cursor_row.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

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
