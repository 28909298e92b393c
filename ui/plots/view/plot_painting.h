// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/axes/ticks.h"
#include "plots/curves/curve.h"
#include "plots/parts/hover_card.h"

#include <QFont>

class QPainter;

namespace lockstep::ui {

/// The parts of a chart that are painted around and between its curves, each onto the widget's
/// coordinates.

struct PlotGrid
{
    std::vector<Tick> x;
    std::vector<Tick> y;
    QString xName; ///< what the x axis counts
    bool hasXLabels = true;
};

/// What a chart stands on, and the ring around one that has the keyboard.
void paintCard(QPainter& painter, const QRect& card, const ThemeColors& theme);
void paintFocusRing(QPainter& painter, const QRect& card, const ThemeColors& theme);

PlotGrid plotGrid(const PlotScale& scale, const ValueFormat& format, const QFont& font);

void paintGrid(
    QPainter& painter, const PlotScale& scale, const PlotGrid& grid, const QFont& font,
    const ThemeColors& theme);
void paintReference(
    QPainter& painter, const PlotScale& scale, double value, const ThemeColors& theme);
/// The curves' values at the cross-hair, as dots on their lines.
void paintCursorDots(
    QPainter& painter, const PlotScale& scale, const std::vector<Curve>& curves,
    const Moment& moment, const ThemeColors& theme);
/// The values themselves, where so few are visible that each has room for a dot.
void paintDots(
    QPainter& painter, const PlotScale& scale, const std::vector<Curve>& curves,
    const ThemeColors& theme);

/// What the curves' values are where the cross-hair stands.
HoverCard cursorCard(
    const std::vector<Curve>& curves, const Moment& moment, XAxis axis, const ValueFormat& format,
    const ThemeColors& theme);

} // namespace lockstep::ui
