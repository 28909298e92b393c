// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/curves/curve.h"
#include "plots/parts/plot_header.h"

#include <QPointF>
#include <QString>

#include <utility>
#include <vector>

class QPainter;

namespace lockstep::ui {

/// A curve of a LinePlot: a few points that are all known.
struct LineCurve
{
    enum class Style { Line, Dashes, Dots };

    QString name;  ///< for legend and card; empty: it is a stair or limit without a name
    int color = 0; ///< for Ink::Tower: number of the tower's colour
    /// By ascending x; a line breaks at points that are not a number.
    std::vector<QPointF> points = {};
    Style style = Style::Line;
    Ink ink = Ink::Tower;
    /// For Dots: from where to where a value was found, as many as points, or none.
    std::vector<std::pair<double, double>> ranges = {};
};

QColor lineColor(const LineCurve& curve, const ThemeColors& theme);
LegendKey lineKey(const LineCurve& curve, const ThemeColors& theme);
/// Clipped to the scale's area, except for dots at its edge.
void paintLineCurve(
    QPainter& painter, const PlotScale& scale, const LineCurve& curve, const ThemeColors& theme);

} // namespace lockstep::ui
