// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/parts/checklist_painting.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace lockstep::ui {
namespace {

using Result = ChecklistLine::Result;

constexpr double kLineDistance = 1.45; // in heights of a line
constexpr double kListPadding = 14.0;
constexpr double kLineGap = 12.0;
constexpr double kMarkWidth = 20.0;
constexpr double kMostNameShare = 0.4;
constexpr double kTextMargin = 12.0;
constexpr double kTextShare = 1.15; // of the font
constexpr double kEmptyLineDistance = 44.0;

QString markOf(Result result)
{
    return result == Result::Passed    ? QStringLiteral("✓")
           : result == Result::Warning ? QStringLiteral("!")
                                       : QStringLiteral("✗");
}

QColor colorOf(Result result, const ThemeColors& theme)
{
    return result == Result::Passed    ? theme.accent
           : result == Result::Warning ? theme.caution
                                       : theme.alert;
}

/// What needs attention stays where there is room for few.
void fit(std::vector<ChecklistLine>& lines, std::size_t most)
{
    while (lines.size() > most) {
        const auto passed = std::ranges::find(lines, Result::Passed, &ChecklistLine::result);
        lines.erase(passed == lines.end() ? std::prev(lines.end()) : passed);
    }
}

void paintText(
    QPainter& painter, const QRectF& area, const QString& text, const QFont& font,
    const ThemeColors& theme)
{
    QFont larger(font);
    larger.setPointSizeF(larger.pointSizeF() * kTextShare);
    const QFontMetricsF metrics(larger);
    const QString shown = metrics.elidedText(text, Qt::ElideRight, area.width() - 4 * kTextMargin);
    QRectF ground(
        0, 0, metrics.horizontalAdvance(shown) + 3 * kTextMargin, metrics.height() + kTextMargin);
    ground.moveCenter(area.center());
    painter.fillRect(ground, theme.card);
    painter.setFont(larger);
    painter.setPen(theme.text);
    painter.drawText(ground, Qt::AlignCenter, shown);
}

void paintChecklist(
    QPainter& painter, const QRectF& area, std::vector<ChecklistLine> lines, const QFont& font,
    const ThemeColors& theme)
{
    const QFontMetricsF metrics(font);
    const double lineHeight = metrics.height() * kLineDistance;
    fit(lines,
        static_cast<std::size_t>(std::max(1.0, (area.height() - kListPadding) / lineHeight)));
    double nameWidth = 0.0;
    double textWidth = 0.0;
    for (const ChecklistLine& line : lines) {
        nameWidth = std::max(nameWidth, metrics.horizontalAdvance(line.name) + 1.0);
        textWidth = std::max(textWidth, metrics.horizontalAdvance(line.text) + 1.0);
    }
    const double room = area.width() - 2 * kListPadding - kMarkWidth - kLineGap;
    nameWidth = std::min(nameWidth, kMostNameShare * room);
    textWidth = std::min(textWidth, room - nameWidth);
    QRectF ground(
        0, 0, kMarkWidth + nameWidth + kLineGap + textWidth + 2 * kListPadding,
        lineHeight * static_cast<double>(lines.size()) + kListPadding);
    ground.moveCenter(area.center());
    painter.fillRect(ground, theme.card);
    painter.setFont(font);
    QRectF row(
        ground.left() + kListPadding, ground.top() + kListPadding / 2,
        ground.width() - 2 * kListPadding, lineHeight);
    const auto draw = [&](double left, double width, const QColor& color, const QString& text) {
        painter.setPen(color);
        painter.drawText(
            QRectF(row.left() + left, row.top(), width, lineHeight),
            Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, width));
    };
    for (const ChecklistLine& line : lines) {
        const bool isGood = line.result == Result::Passed;
        draw(0, kMarkWidth, colorOf(line.result, theme), markOf(line.result));
        draw(kMarkWidth, nameWidth, theme.text, line.name);
        draw(
            kMarkWidth + nameWidth + kLineGap, textWidth, isGood ? theme.mutedText : theme.text,
            line.text);
        row.translate(0, lineHeight);
    }
}

} // namespace

void paintEmptyState(
    QPainter& painter, const QRectF& area, const EmptyState& state, const QFont& font,
    const ThemeColors& theme)
{
    const int spaces = std::max(2, static_cast<int>(area.height() / kEmptyLineDistance));
    painter.setPen(QPen(theme.grid, 1.0));
    for (int line = 0; line <= spaces; ++line) {
        const double y = std::floor(area.top() + area.height() * line / spaces) + 0.5;
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    }
    if (!state.checklist.empty()) {
        paintChecklist(painter, area, state.checklist, font, theme);
    } else if (!state.text.isEmpty()) {
        paintText(painter, area, state.text, font, theme);
    }
}

QString emptyStateSummary(const EmptyState& state)
{
    if (state.checklist.empty()) {
        return state.text;
    }
    QStringList texts;
    for (const ChecklistLine& line : state.checklist) {
        texts.append(QCoreApplication::translate("lockstep::ui::PlotView", "%1 %2: %3")
                         .arg(markOf(line.result), line.name, line.text));
    }
    return texts.join(QStringLiteral("; "));
}

} // namespace lockstep::ui
