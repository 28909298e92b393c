// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/parts/plot_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kMargin = 12.0;
constexpr double kAbovePins = 11.0;
constexpr double kAboveArea = 4.0;
/// Of a chart that is lower, every line counts.
constexpr int kRoomyHeight = 125;
constexpr double kAboveHeader = 7.0;
constexpr double kBelowLabels = 7.0;
constexpr double kLowAboveHeader = 3.0;
constexpr double kLowBelowLabels = 2.0;
constexpr int kLeastHeightForNotes = 180;
constexpr double kAxisFontShare = 0.92;

} // namespace

QFont axisFont(const QFont& chart)
{
    QFont smaller(chart);
    if (smaller.pointSizeF() > 0) {
        smaller.setPointSizeF(smaller.pointSizeF() * kAxisFontShare);
    }
    return smaller;
}

PlotLayout plotLayout(QSize size, const PlotFonts& fonts, const PlotRoom& room)
{
    const QFontMetricsF axisMetrics(fonts.axis);
    const bool isRoomy = size.height() >= kRoomyHeight;
    PlotLayout layout;
    layout.header = QRectF(
        kMargin, isRoomy ? kAboveHeader : kLowAboveHeader, size.width() - 2 * kMargin,
        QFontMetricsF(fonts.header).height() + 2.0);
    double top = layout.header.bottom();
    if (size.height() >= kLeastHeightForNotes) {
        layout.notes = QRectF(
            layout.header.left(), top + 1.0, layout.header.width(), axisMetrics.height() + 1.0);
        top = layout.notes.bottom();
    }
    top = std::ceil(top + (room.hasPins ? kAbovePins : kAboveArea));
    const double left =
        std::ceil(axisMetrics.horizontalAdvance(QStringLiteral("00,000")) + kMargin + 4);
    const double right = size.width() - kMargin - 2;
    const double labels =
        room.hasXLabels ? axisMetrics.height() + kLabelsFromAxis : kLabelsFromAxis;
    const double bottom =
        std::floor(size.height() - labels - (isRoomy ? kBelowLabels : kLowBelowLabels));
    layout.area = {
        left, top, std::max(10.0, std::floor(right - left)), std::max(10.0, bottom - top)};
    return layout;
}

} // namespace lockstep::ui
