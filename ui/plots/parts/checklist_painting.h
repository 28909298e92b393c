// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace lockstep::ui {

/// A line of what is checked before a run begins.
struct ChecklistLine
{
    enum class Result { Passed, Warning, Failed };

    QString name;
    Result result = Result::Passed;
    QString text; ///< what was found
};

/// What a chart shows while there is nothing to draw: a sentence, or a list where there is one.
struct EmptyState
{
    QString text;
    std::vector<ChecklistLine> checklist = {};
};

/// Paints a grid without figures, and the sentence or the list into the middle of the area: a mark,
/// the name, what was found. Lines that have no room are left out, those that passed first; texts
/// are elided.
void paintEmptyState(
    QPainter& painter, const QRectF& area, const EmptyState& state, const QFont& font,
    const ThemeColors& theme);

/// All of it as one text.
QString emptyStateSummary(const EmptyState& state);

} // namespace lockstep::ui
