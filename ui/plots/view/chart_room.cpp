// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/view/chart_room.h"

namespace lockstep::ui {
namespace {

constexpr int kLowHeight = 100;
constexpr int kLeastWidth = 240;
constexpr int kLeastHeight = 50;
constexpr int kPinHeight = 8;
constexpr int kLabelHeight = 16;
constexpr int kFoldMarkWidth = 14;
constexpr int kBelowFoldedTitle = 3;

} // namespace

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

void ChartRoom::fitFolded()
{
    const int height = leastSize().height();
    m_chart.setMinimumHeight(m_isFolded ? height : 0);
    m_chart.setMaximumHeight(m_isFolded ? height : QWIDGETSIZE_MAX);
}

int ChartRoom::foldedHeight() const
{
    const PlotLayout low = plotLayout({kLeastWidth, 0}, {m_chart.font(), axisFont()}, {});
    return qCeil(low.header.bottom()) + kBelowFoldedTitle;
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
    return plotLayout(m_chart.size(), {m_chart.font(), axisFont()}, {hasPins(), hasXLabels()});
}

} // namespace lockstep::ui
