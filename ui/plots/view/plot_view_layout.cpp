// SPDX-License-Identifier: GPL-3.0-or-later
// How much room a chart takes, and what it leaves out where that is little.
#include "plots/view/plot_view.h"

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

void PlotView::setNeighbours(bool hasAbove, bool hasBelow)
{
    if (hasAbove != m_hasAbove || hasBelow != m_hasBelow) {
        m_hasAbove = hasAbove;
        m_hasBelow = hasBelow;
        updateGeometry();
        dataChanged();
    }
}

void PlotView::setFoldable(bool isFoldable)
{
    m_isFoldable = isFoldable;
    dataChanged();
}

void PlotView::setFolded(bool isFolded)
{
    if (isFolded == m_isFolded) {
        return;
    }
    m_isFolded = isFolded;
    fitFolded();
    dataChanged();
}

void PlotView::fitFolded()
{
    const int height = minimumSizeHint().height();
    setMinimumHeight(m_isFolded ? height : 0);
    setMaximumHeight(m_isFolded ? height : QWIDGETSIZE_MAX);
}

int PlotView::foldedHeight() const
{
    const PlotLayout low = plotLayout({kLeastWidth, 0}, {font(), axisFont()}, {});
    return qCeil(low.header.bottom()) + kBelowFoldedTitle;
}

QRectF PlotView::foldMark() const
{
    const QRectF line = arrangement().header;
    return m_isFoldable ? QRectF(0.0, line.top(), kFoldMarkWidth, line.height()) : QRectF();
}

QSize PlotView::minimumSizeHint() const
{
    if (m_isFolded) {
        return {kLeastWidth, foldedHeight()};
    }
    return {
        kLeastWidth,
        kLeastHeight + (m_hasAbove ? 0 : kPinHeight) + (m_hasBelow ? 0 : kLabelHeight)};
}

bool PlotView::hasXLabels() const
{
    return !m_hasBelow || height() >= kLowHeight;
}

bool PlotView::hasPins() const
{
    return !m_hasAbove || height() >= kLowHeight;
}

/// Only on the uppermost chart: once is enough.
bool PlotView::hasPhaseNames() const
{
    return m_phases != nullptr && !m_hasAbove && !isEmpty();
}

PlotLayout PlotView::arrangement() const
{
    return plotLayout(size(), {font(), axisFont()}, {hasPins(), hasXLabels()});
}

} // namespace lockstep::ui
