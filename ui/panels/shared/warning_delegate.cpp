// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/warning_delegate.h"

#include "models/table_model.h"
#include "widgets/forms/note_label.h"

namespace lockstep::ui {

void WarningDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(WarningRole).toBool()) {
        option->palette.setColor(QPalette::Text, alertTextColor(option->palette));
    }
    if (index.data(WarningRole).toBool() || index.data(EmphasisRole).toBool()) {
        option->font.setWeight(QFont::DemiBold);
    }
}

} // namespace lockstep::ui
