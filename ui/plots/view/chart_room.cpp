// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/chart_room.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <utility>

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

constexpr int kLowHeight = 100;
constexpr int kLeastWidth = 240;
constexpr int kLeastHeight = 50;
constexpr int kPinHeight = 8;
constexpr int kLabelHeight = 16;
constexpr int kFoldMarkWidth = 14;
constexpr int kBelowFoldedTitle = 3;

} // namespace

QFont axisFont(const QFont& chart)
{
    QFont smaller(chart);
    if (smaller.pointSizeF() > 0) {
        smaller.setPointSizeF(smaller.pointSizeF() * kAxisFontShare);
    }
    return smaller;
}

void ChartRoom::setNeighbours(bool hasAbove, bool hasBelow)
{
    if (hasAbove != m_hasAbove || hasBelow != m_hasBelow) {
        m_hasAbove = hasAbove;
        m_hasBelow = hasBelow;
        m_chart.updateGeometry();
        emit changed();
    }
}

void ChartRoom::setFoldable(bool isFoldable)
{
    m_isFoldable = isFoldable;
    emit changed();
}

void ChartRoom::setFolded(bool isFolded)
{
    if (isFolded != m_isFolded) {
        m_isFolded = isFolded;
        fitFolded();
        emit changed();
    }
}

void ChartRoom::setNames(int names)
{
    if (std::exchange(m_names, names) != names) {
        emit changed();
    }
}

void ChartRoom::fitFolded()
{
    const int height = leastSize().height();
    m_chart.setMinimumHeight(m_isFolded ? height : 0);
    m_chart.setMaximumHeight(m_isFolded ? height : QWIDGETSIZE_MAX);
}

int ChartRoom::foldedHeight() const
{
    return qCeil(kLowAboveHeader + headerHeight()) + kBelowFoldedTitle;
}

double ChartRoom::headerHeight() const
{
    return QFontMetricsF(m_chart.font()).height() + 2.0;
}

QRectF ChartRoom::foldMark() const
{
    const QRectF line = titleLine();
    return m_isFoldable ? QRectF(0.0, line.top(), kFoldMarkWidth, line.height()) : QRectF();
}

QSize ChartRoom::leastSize() const
{
    const int around = (m_hasAbove ? 0 : kPinHeight) + (m_hasBelow ? 0 : kLabelHeight);
    return {kLeastWidth, m_isFolded ? foldedHeight() : kLeastHeight + around};
}

bool ChartRoom::hasXLabels() const
{
    return !m_hasBelow || m_chart.height() >= kLowHeight;
}

bool ChartRoom::hasPins() const
{
    return !m_hasAbove || m_chart.height() >= kLowHeight;
}

PlotLayout ChartRoom::layout() const
{
    const QFontMetricsF axisMetrics(axisFont());
    const QSize size = m_chart.size();
    const bool isRoomy = size.height() >= kRoomyHeight;
    PlotLayout layout;
    layout.header = QRectF(
        kMargin, isRoomy ? kAboveHeader : kLowAboveHeader, size.width() - 2 * kMargin,
        headerHeight());
    double top = layout.header.bottom();
    const bool isHigh = size.height() >= kLeastHeightForNotes;
    if (isHigh || (isRoomy && m_names > 0)) {
        layout.columns = isHigh ? std::min(m_names, PlotLayout::kNamesInARow) : m_names;
        const int rows = layout.columns > 0 ? (m_names + layout.columns - 1) / layout.columns : 1;
        layout.notes = QRectF(
            layout.header.left(), top + 1.0, layout.header.width(),
            rows * (axisMetrics.height() + 1.0));
        top = layout.notes.bottom();
    }
    top = std::ceil(top + (hasPins() ? kAbovePins : kAboveArea));
    const double left =
        std::ceil(axisMetrics.horizontalAdvance(QStringLiteral("00,000")) + kMargin + 4);
    const double right = size.width() - kMargin - 2;
    const double labels = kLabelsFromAxis + (hasXLabels() ? axisMetrics.height() : 0.0);
    const double bottom =
        std::floor(size.height() - labels - (isRoomy ? kBelowLabels : kLowBelowLabels));
    layout.area = {
        left, top, std::max(10.0, std::floor(right - left)), std::max(10.0, bottom - top)};
    return layout;
}

} // namespace lockstep::ui
