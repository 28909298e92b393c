// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/tower_colors.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>
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
    std::vector<QColor> colors;          ///< one, except for Lines
    std::vector<ColorOwner> owners = {}; ///< of the colours; none where they are not to be chosen
    bool isOff = false;                  ///< what it stands for is hidden
    QRectF place = {};                   ///< as arranged; empty where it has no room
    QString shownText = {};              ///< as much of the text as has room there
};

/// The line above a chart: title, current values, legend.
struct PlotHeader
{
    QString title;
    QString caption = {};
    std::vector<LegendKey> keys = {};
};

/// As titles are written.
QFont boldOf(QFont font);

/// As many parts of a text, between which there is " · ", a colon, a comma or a bracket, as fit:
/// what is left reads as if it were all, and a figure is never cut in two unless not even the first
/// part fits.
QString elidedAtParts(const QString& text, const QFontMetricsF& metrics, double width);

/// Gives the keys their places as a list in so many columns, row by row; a name that is too long
/// gives way in its middle, or to the number of its run.
void listKeys(std::vector<LegendKey>& keys, const QRectF& room, int columns, const QFont& font);
/// Those that have a place.
void paintKeys(
    QPainter& painter, const std::vector<LegendKey>& keys, const QFont& font,
    const ThemeColors& theme);

/// Paints title, values and keys into one line. The keys get their places: at its end, with names
/// of other runs elided where need be, or only their numbers (ColorOwner::number + 1) beside their
/// colours, or only the first of them where the caption needs the room. Neither keys nor caption,
/// which is elided where need be, ever touch the title. Returns whether all of the caption could be
/// read.
bool paintHeader(
    QPainter& painter, const QRectF& line, PlotHeader& header, const QFont& font,
    const ThemeColors& theme);

/// What hovers over a title, three lines at most: the caption if it was cut, in two lines where it
/// is long, then as many of the others as that leaves; the user guide has all.
QString titleTip(QString cutCaption, QStringList lines);

/// Whose colour is there: that of a key, or of the part of it under the point where it has several.
std::optional<ColorOwner> ownerAt(const LegendKey& key, QPointF point);

/// The small triangle before a chart's title that folds the chart down to its title line: it points
/// down while the chart is open, to the right while it is folded.
void paintFoldMark(QPainter& painter, const QRectF& place, bool isFolded, const ThemeColors& theme);

} // namespace lockstep::ui
