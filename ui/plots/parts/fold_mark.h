// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QRectF>

class QPainter;

namespace lockstep::ui {

/// The small triangle before a chart's title that folds the chart down to its title line: it points
/// down while the chart is open, to the right while it is folded.
void paintFoldMark(QPainter& painter, const QRectF& place, bool isFolded, const ThemeColors& theme);

} // namespace lockstep::ui
