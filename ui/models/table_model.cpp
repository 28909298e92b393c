// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/table_model.h"

namespace lockstep::ui {

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(column(index.column()).title, text(index.row(), index.column()));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(column(index.column()).alignment);
    case ValueRole:
        return value(index.row(), index.column());
    default:
        return other(index.row(), index.column(), role);
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) {
        return {};
    }
    const TableColumn described = column(section);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return described.title;
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        return described.toolTip;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(described.alignment);
    default:
        return {};
    }
}

} // namespace lockstep::ui
