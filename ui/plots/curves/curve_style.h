// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/curves/chart_lines.h"
#include "plots/curves/column_image.h"
#include "plots/curves/curve.h"
#include "plots/curves/plot_marks.h"
#include "plots/parts/plot_header.h"

#include <QImage>

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

/// The lines on top, relative to the plot area: towers faint, the mean bold, the last tower dashed
/// over it and narrower, so that both stay visible where they coincide.
std::vector<ChartLine> curveLines(
    const std::vector<Curve>& curves, const PlotScale& scale, const ThemeColors& theme);

/// Whether so few rows are visible that each gets a dot.
bool hasDots(const Curve& curve, const PlotScale& scale);

std::vector<LegendKey> legendKeys(const std::vector<Curve>& curves, const ThemeColors& theme);

} // namespace lockstep::ui
