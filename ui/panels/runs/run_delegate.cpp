// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs/run_delegate.h"

#include "models/runs/run_table_model.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"
#include "widgets/forms/note_label.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep::ui {
namespace {

constexpr double kSide = 6.0;
constexpr double kAbove = 4.0;
constexpr double kWidth = 1.3;

struct Bounds
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
};

Bounds boundsOf(const std::vector<SmallCurvePoint>& curve)
{
    Bounds bounds;
    for (const SmallCurvePoint& point : curve) {
        if (std::isfinite(point.loss)) {
            bounds.low = std::min(bounds.low, point.loss);
            bounds.high = std::max(bounds.high, point.loss);
        }
    }
    return bounds;
}

/// A line for each stretch without a value that is not a number.
QList<QPolygonF> linesOf(const std::vector<SmallCurvePoint>& curve, const QRectF& area)
{
    const Bounds bounds = boundsOf(curve);
    const double height = std::max(bounds.high - bounds.low, 1e-9);
    const double first = curve.front().step;
    const double width = std::max(curve.back().step - first, 1.0);
    QList<QPolygonF> lines(1);
    for (const SmallCurvePoint& point : curve) {
        if (!std::isfinite(point.loss)) {
            lines.append(QPolygonF());
            continue;
        }
        lines.back() << QPointF(
            area.left() + area.width() * (point.step - first) / width,
            area.bottom() - area.height() * (point.loss - bounds.low) / height);
    }
    return lines;
}

const RunRow& runOf(const QModelIndex& index)
{
    return *static_cast<const RunRow*>(index.data(RecordRole).value<const void*>());
}

} // namespace

void RunDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(WarningRole).toBool()) {
        option->palette.setColor(QPalette::Text, alertTextColor(option->palette));
    }
    if (index.data(EmphasisRole).toBool() && index.column() == RunTableModel::Name) {
        option->font.setWeight(QFont::DemiBold);
    }
}

void RunDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    if (index.column() != RunTableModel::Curve || runOf(index).curve.empty()) {
        return;
    }
    const ThemeColors theme = themeColors(option.palette);
    const int overlay = index.data(ColorIndexRole).toInt();
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QColor color = overlay >= 0 ? overlayColor(overlay, theme)
                         : isSelected ? option.palette.color(QPalette::HighlightedText)
                                      : theme.mutedText;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF cell(option.rect);
    if (overlay >= 0 && isSelected) { // its colour needs its ground
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.card);
        painter->drawRoundedRect(cell.adjusted(2, 2, -2, -2), 3, 3);
    }
    painter->setPen(QPen(color, kWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const QPolygonF& line :
         linesOf(runOf(index).curve, cell.adjusted(kSide, kAbove, -kSide, -kAbove))) {
        painter->drawPolyline(line);
    }
    painter->restore();
}

} // namespace lockstep::ui
