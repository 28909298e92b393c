// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/number_text.h"
#include "plots/axes/plot_scale.h"
#include "plots/curves/curve.h"

#include <QPointF>
#include <QString>

#include <vector>

class QPainter;

namespace lockstep::ui {

/// What has to be said about values that a chart does not show, where they are. In
/// device-independent pixels of the plot area.
struct PlotMark
{
    enum class Kind { NotFinite, NotPositive, AboveScale, BelowScale };
    Kind kind = Kind::NotFinite;
    double x = 0.0;
    double left = 0.0; ///< from here to there it stands for all of its kind
    double right = 0.0;
};

/// Whether it is about values beyond the ends of the y axis.
bool isOffScale(PlotMark::Kind kind);

/// A cross at the upper edge where a value is not a number, a triangle at the lower where a
/// logarithmic scale has no place for it, arrows at both where values are off scale; with a line
/// along the edge where a mark stands for a stretch.
void paintMarks(
    QPainter& painter, const PlotScale& scale, const std::vector<PlotMark>& marks,
    const ThemeColors& theme);

/// What the mark at the point of the widget stands for, which is about the curves; empty if there
/// is none.
QString markText(
    const std::vector<PlotMark>& marks, const std::vector<Curve>& curves, const PlotScale& scale,
    const ValueFormat& format, QPointF point);

} // namespace lockstep::ui
