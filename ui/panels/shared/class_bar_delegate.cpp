// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/class_bar_delegate.h"

#include "models/evaluation/class_balance_model.h"
#include "theme/palette.h"

#include <QLocale>
#include <QPainter>

namespace lockstep::ui {
namespace {

constexpr double kBarSide = 6.0;
constexpr double kBarHeight = 8.0;
constexpr double kRadius = 2.0;
constexpr qint64 kWidestCount = 10'000'000;

} // namespace

void ClassBarDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    WarningDelegate::paint(painter, option, index);
    const double share = index.data(ClassBalanceModel::kBarRole).toDouble();
    const int figures = option.fontMetrics.horizontalAdvance(QLocale().toString(kWidestCount));
    const QRectF room = QRectF(option.rect).adjusted(kBarSide, 0.0, -2.0 * kBarSide - figures, 0.0);
    if (share <= 0.0 || room.width() <= 0.0) {
        return;
    }
    const ThemeColors theme = themeColors(option.palette);
    const QRectF bar(
        room.left(), room.center().y() - kBarHeight / 2.0, room.width() * share, kBarHeight);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    painter->setBrush(isSelected ? option.palette.color(QPalette::HighlightedText) : theme.accent);
    painter->drawRoundedRect(bar, kRadius, kRadius);
    painter->restore();
}

} // namespace lockstep::ui
