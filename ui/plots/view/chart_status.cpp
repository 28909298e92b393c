// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/chart_status.h"

#include "plots/axes/number_text.h"
#include "plots/parts/plot_header.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <limits>

namespace lockstep::ui {
namespace {

struct StatusText
{
    Q_DECLARE_TR_FUNCTIONS(StatusText)
};

/// Rows that lie within the scale, unlike visibleRows() without a neighbour on each side.
RowRange rowsWithin(const Timeline& timeline, const PlotScale& scale)
{
    RowRange rows;
    rows.first = timeline.firstRowFrom(scale.axis, scale.first);
    rows.end = timeline.firstRowFrom(scale.axis, scale.last);
    if (rows.end < timeline.size() && timeline.positionAt(scale.axis, rows.end) <= scale.last) {
        ++rows.end;
    }
    return rows;
}

void addCurve(ChartStatus& status, const Curve& curve, const PlotScale& scale)
{
    const Timeline& timeline = curve.store->timeline();
    const Series& series = curve.series();
    const RowRange rows = rowsWithin(timeline, scale);
    const Extent extent = series.extent(rows.first, rows.end);
    if (curve.isMarkingFaults && extent.notFinite > 0) {
        status.notFinite += extent.notFinite;
        const std::int64_t step = timeline.stepAt(*series.firstNotFinite(rows.first, rows.end));
        status.firstNotFinite =
            status.firstNotFinite < 0 ? step : std::min(status.firstNotFinite, step);
    }
    if (!extent.hasValues()) {
        return;
    }
    std::int64_t notPositive = 0;
    if (scale.isLogarithmic && extent.minimum <= 0.0F) {
        constexpr float kLeast = std::numeric_limits<float>::denorm_min();
        notPositive = series.countBelow(rows.first, rows.end, kLeast);
        status.notPositive += notPositive;
    }
    if (status.isValuesZoomed || curve.isCutOffScale()) {
        return;
    }
    const auto top = static_cast<float>(scale.top);
    const auto bottom = static_cast<float>(scale.bottom);
    if (extent.maximum > top) {
        status.above += series.countAbove(rows.first, rows.end, top);
    }
    if (scale.isLogarithmic ? extent.minimumPositive < bottom : extent.minimum < bottom) {
        status.below += series.countBelow(rows.first, rows.end, bottom) - notPositive;
    }
}

QString stepsText(const ChartStatus& status)
{
    return StatusText::tr("%1 of %2 steps")
        .arg(countText(status.shownSteps), countText(status.allSteps));
}

QString smoothingText(const ChartStatus& status)
{
    return status.smoothing > 0.0
               ? StatusText::tr("smoothing %1").arg(numberText(status.smoothing, {1.0, 2, {}}))
               : StatusText::tr("not smoothed");
}

QString joined(const QStringList& parts)
{
    return parts.join(QStringLiteral(" · "));
}

} // namespace

ChartStatus chartStatus(
    const std::vector<Curve>& curves, const PlotScale& scale, bool isValuesZoomed)
{
    ChartStatus status;
    status.isValuesZoomed = isValuesZoomed;
    for (const Curve& curve : curves) {
        const Timeline& timeline = curve.store->timeline();
        if (timeline.size() > status.allSteps) { // the run's steps, not its evaluations
            const RowRange rows = rowsWithin(timeline, scale);
            status.allSteps = timeline.size();
            status.shownSteps = rows.end - rows.first;
            status.leftOfAxis =
                scale.isXLogarithmic
                    ? timeline.firstRowFrom(scale.axis, std::numeric_limits<double>::denorm_min())
                    : 0;
        }
        if (timeline.size() == status.allSteps && curve.series().isSmoothed()) {
            status.smoothing = std::max(status.smoothing, curve.series().smoothing());
        }
        addCurve(status, curve, scale);
    }
    return status;
}

QStringList exceptionsOf(const ChartStatus& status)
{
    QStringList parts;
    const auto add = [&parts](std::int64_t count, const char* one, const char* several) {
        if (count > 0) {
            parts << StatusText::tr(count == 1 ? one : several).arg(countText(count));
        }
    };
    add(status.above, QT_TRANSLATE_NOOP("StatusText", "%1 point off scale ↑"),
        QT_TRANSLATE_NOOP("StatusText", "%1 points off scale ↑"));
    add(status.below, QT_TRANSLATE_NOOP("StatusText", "%1 point off scale ↓"),
        QT_TRANSLATE_NOOP("StatusText", "%1 points off scale ↓"));
    if (status.isValuesZoomed) {
        parts << StatusText::tr("part of the values only");
    }
    if (status.notFinite > 0) {
        const QString step = countText(status.firstNotFinite);
        parts
            << (status.notFinite == 1
                    ? StatusText::tr("1 NaN at %1").arg(step)
                    : StatusText::tr("%1 NaN, first at %2").arg(countText(status.notFinite), step));
    }
    add(status.notPositive, QT_TRANSLATE_NOOP("StatusText", "%1 value ≤ 0 not on the log axis"),
        QT_TRANSLATE_NOOP("StatusText", "%1 values ≤ 0 not on the log axis"));
    add(status.leftOfAxis, QT_TRANSLATE_NOOP("StatusText", "%1 step at 0 not on the log axis"),
        QT_TRANSLATE_NOOP("StatusText", "%1 steps at 0 not on the log axis"));
    return parts;
}

QString statusText(const ChartStatus& status)
{
    return joined(QStringList{stepsText(status), smoothingText(status)} + exceptionsOf(status));
}

QString fittingStatus(const ChartStatus& status, const QFontMetricsF& metrics, double width)
{
    const QStringList exceptions = exceptionsOf(status);
    const QString candidates[] = {
        statusText(status), joined(QStringList{stepsText(status)} + exceptions)};
    for (const QString& text : candidates) {
        if (metrics.horizontalAdvance(text) <= width) {
            return text;
        }
    }
    return elidedAtParts(
        exceptions.isEmpty() ? stepsText(status) : joined(exceptions), metrics, width);
}

QString statusExplanation()
{
    return StatusText::tr(
        "Every step is drawn, and smoothed. Off scale: beyond an edge, where arrows stand (O "
        "brings them in).\n"
        "NaN: losses that are not numbers; a cross marks their place.");
}

} // namespace lockstep::ui
