// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs/run_delegate.h"

#include "models/runs/run_table_model.h"
#include "panels/shared/small_curve.h"
#include "theme/palette.h"
#include "theme/tower_colors.h"

#include <QPainter>

namespace lockstep::ui {
namespace {

constexpr double kSide = 6.0;
constexpr double kAbove = 4.0;

const RunRow& runOf(const QModelIndex& index)
{
    return *static_cast<const RunRow*>(index.data(RecordRole).value<const void*>());
}

} // namespace

void RunDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    WarningDelegate::paint(painter, option, index);
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
    painter->restore();
    paintSmallCurve(
        *painter, runOf(index).curve, cell.adjusted(kSide, kAbove, -kSide, -kAbove), color);
}

} // namespace lockstep::ui
