// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <vector>

class QFontMetricsF;
class QPainter;

namespace lockstep::ui {

/// What a key of the legend looks like.
enum class KeyShape { Line, BoldLine, Dashes, Band, Dot, Lines };

struct LegendKey
{
    QString text;
    KeyShape shape = KeyShape::Line;
    std::vector<QColor> colors; ///< one, except for Lines
    bool isOff = false;         ///< what it stands for is hidden
};

/// The line above a chart: title, current values, legend.
struct PlotHeader
{
    QString title;
    QString caption;
    std::vector<LegendKey> keys;
    Judgement judgement = Judgement::None; ///< what the caption says, as a dot before it
};

/// As many parts of a text, between which there is " · ", a colon, a comma or a bracket, as fit:
/// what is left reads as if it were all, and a figure is never cut in two unless not even the first
/// part fits.
QString elidedAtParts(const QString& text, const QFontMetricsF& metrics, double width);

/// Paints it into one line. Where there is not enough room the legend goes first, then the caption
/// is elided; neither ever touches the title. Returns whether all of the caption could be read.
bool paintHeader(
    QPainter& painter, const QRectF& line, const PlotHeader& header, const QFont& font,
    const ThemeColors& theme);

/// The number of the key there; -1: none is.
int keyAt(const PlotHeader& header, const QRectF& line, const QFont& font, QPointF point);

/// Keys in a line of their own, from the left; where there is not enough room each name gives way
/// in its middle. Returns where they end.
double paintKeys(
    QPainter& painter, const QRectF& line, const std::vector<LegendKey>& keys, const QFont& font,
    const ThemeColors& theme);

} // namespace lockstep::ui
