// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPen>
#include <QPointF>
#include <QRectF>

#include <memory>
#include <vector>

class QPainter;

namespace lockstep::ui {

/// A line of a chart: points in pixels of the plot area; it breaks at points that are not a number.
struct ChartLine
{
    QList<QPointF> points;
    QPen pen;
};

/// The lines of a PlotView, drawn by Qt Charts: the only file that names it, so that another
/// library could take its place.
///
/// In Qt Charts 6.4 every point costs about a microsecond at each change, visible or not, each
/// change of an axis rebuilds every series once more, and one value that a logarithmic axis cannot
/// show makes its whole series vanish. So it gets few points, already in pixels, and axes that only
/// a resize changes.
class ChartLines
{
public:
    ChartLines();
    ~ChartLines();
    ChartLines(const ChartLines&) = delete;
    ChartLines& operator=(const ChartLines&) = delete;

    /// Draws them into the plot area, the first line lowest.
    void paint(QPainter& painter, const std::vector<ChartLine>& lines, const QRectF& area);

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace lockstep::ui
