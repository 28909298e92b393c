// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/curves/chart_lines.h"
#include "plots/curves/curve.h"
#include "plots/curves/curve_columns.h"
#include "plots/curves/plot_marks.h"
#include "plots/parts/plot_header.h"

#include <QImage>
#include <QStringList>

#include <vector>

namespace lockstep::ui {

/// The raw curves of a chart as an image of the plot area, transparent elsewhere.
struct RawCurves
{
    QImage image;
    std::vector<PlotMark> marks;
};

/// Below: the band between the towers, then each curve with an opacity that leaves the others
/// visible.
RawCurves rawCurves(
    const std::vector<Curve>& curves, const PlotScale& scale, double devicePixelRatio,
    const ThemeColors& theme);

/// Of a curve's raw values, in a chart of so many curves: where its averages are drawn, they are
/// only the background.
double rawOpacity(const Curve& curve, std::size_t curves);

/// The lines on top, relative to the plot area: towers faint, the mean bold, the last tower over it
/// and narrower, so that both stay visible where they coincide.
std::vector<ChartLine> curveLines(
    const std::vector<Curve>& curves, const PlotScale& scale, const ThemeColors& theme);

/// The rows of the curve's line among the others of its chart; none where its values are too many
/// for a line and no averages: those are drawn as columns only.
RowRange lineRows(const Curve& curve, const std::vector<Curve>& curves, const PlotScale& scale);

/// The band of a CurveKind::Mean between the averages of its least and greatest values, column by
/// column: at the rows of its line, so that the line lies within.
std::vector<ColumnLayer::Stroke> averageBand(
    const Curve& mean, const std::vector<Curve>& curves, const PlotScale& scale,
    double devicePixelRatio);

/// Whether so few rows are visible that each gets a dot.
bool hasDots(const Curve& curve, const PlotScale& scale);

std::vector<LegendKey> legendKeys(const std::vector<Curve>& curves, const ThemeColors& theme);

/// Those whose keys are not among the hidden ones, without bands whose keys are.
std::vector<Curve> shownCurves(std::vector<Curve> curves, const QStringList& hiddenKeys);

} // namespace lockstep::ui
