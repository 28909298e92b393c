// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/gradients/cosine_delegate.h"

#include "models/figures/gradient_table_model.h"
#include "theme/tower_colors.h"

#include <QPainter>

#include <cmath>

namespace lockstep::ui {
namespace {

constexpr double kCosineSide = 6.0;
constexpr double kCosineHeight = 3.0;

} // namespace

void CosineDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(EmphasisRole).toBool()) {
        option->font.setWeight(QFont::DemiBold);
    }
}

void CosineDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant value = index.data(ValueRole);
    if (index.column() < GradientTableModel::FirstTower || !value.isValid()) {
        return;
    }
    const ThemeColors theme = themeColors(option.palette);
    const double cosine = value.toDouble();
    const QColor color =
        cosine < 0.0 ? theme.alert : towerColor(index.data(ColorIndexRole).toInt(), theme);
    const QRectF cell = QRectF(option.rect).adjusted(kCosineSide, 0.0, -kCosineSide, -1.0);
    QRectF bar(cell.left(), cell.bottom() - kCosineHeight, cell.width(), kCosineHeight);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.grid);
    painter->drawRoundedRect(bar, kCosineHeight / 2.0, kCosineHeight / 2.0);
    bar.setWidth(bar.width() * std::abs(cosine));
    painter->setBrush(color);
    painter->drawRoundedRect(bar, kCosineHeight / 2.0, kCosineHeight / 2.0);
    painter->restore();
}

} // namespace lockstep::ui
