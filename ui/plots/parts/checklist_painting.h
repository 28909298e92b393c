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

/// Paints the list into the middle of the area: a mark, the name, what was found. Lines that have
/// no room are left out, those that passed first; texts are elided.
void paintChecklist(
    QPainter& painter, const QRectF& area, std::vector<ChecklistLine> lines, const QFont& font,
    const ThemeColors& theme);

/// The list as one text.
QString checklistSummary(const std::vector<ChecklistLine>& lines);

} // namespace lockstep::ui
