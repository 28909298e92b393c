// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/cursor_card.h"

#include "plots/curves/cursor_row.h"
#include "plots/view/plot_view.h"

#include <cmath>

namespace lockstep::ui {
namespace {

QString titleOf(const Moment& moment)
{
    const ValueFormat epochFormat{1.0, moment.epoch < 10.0 ? 2 : 1, {}};
    return PlotView::tr("step %1 · epoch %2 · %3")
        .arg(
            countText(moment.step), numberText(moment.epoch, epochFormat),
            durationText(moment.wallSeconds));
}

/// With the step where it is another one; of another run's evaluations that goes without saying.
QString nameOf(const Curve& curve, std::int64_t row, const CursorPlace& place)
{
    return curve.kind == CurveKind::OverlayPoints || !isBefore(curve, row, place.moment, place.axis)
               ? curve.name
               : PlotView::tr("%1 (step %2)")
                     .arg(curve.name, countText(curve.store->timeline().stepAt(row)));
}

} // namespace

HoverCard cursorCard(
    const std::vector<Curve>& curves, const CursorPlace& place, const ValueFormat& format,
    const ThemeColors& theme)
{
    HoverCard card;
    card.title = titleOf(place.moment);
    for (const Curve& curve : curves) {
        const std::int64_t row = rowAt(curve, place.moment, place.axis);
        if (row < 0) {
            continue;
        }
        const double value = curve.series().at(row);
        HoverCard::Row entry;
        entry.name = nameOf(curve, row, place);
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
