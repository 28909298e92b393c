// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

// What the cells of a table say, for the tests of item models.
namespace lockstep::ui {

inline QString shown(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data().toString();
}

inline QVariant value(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data(ValueRole);
}

inline Qt::Alignment alignment(const QAbstractItemModel& model, int row, int column)
{
    return model.index(row, column).data(Qt::TextAlignmentRole).value<Qt::Alignment>();
}

/// Every cell and every column says to a screen reader what it is.
inline bool isAccessible(const QAbstractItemModel& model)
{
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString title = model.headerData(column, Qt::Horizontal).toString();
        const QString help = model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
        if (title.isEmpty() || help.isEmpty()) {
            return false;
        }
        for (int row = 0; row < model.rowCount(); ++row) {
            const QString text = model.index(row, column).data(Qt::AccessibleTextRole).toString();
            if (!text.startsWith(title) || !text.endsWith(shown(model, row, column))) {
                return false;
            }
        }
    }
    return model.rowCount() > 0;
}

} // namespace lockstep::ui
