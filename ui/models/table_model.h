// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QVariant>

namespace lockstep::ui {

/// What the models here add to Qt's roles.
enum TableRole {
    ValueRole =
        Qt::UserRole + 1, ///< the cell's value as a number, date or text: for sorting and copying
    ColorIndexRole,       ///< number of the tower's colour in the theme
    WarningRole,          ///< bool: the row should be noticed
    EmphasisRole,         ///< bool: the row is the one that the window shows
    FileRole,             ///< file name that the row stands for
    ExampleRole,          ///< number of the example that the row stands for
    RecordRole, ///< the plain value behind the row, as const void*: valid until the row changes
};

/// A column of a table: what its header says, shows on hover, and how its cells are aligned.
struct TableColumn
{
    QString title;
    QString toolTip;
    Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter;
};

/// Alignment of figures: tabular, on the right.
inline constexpr Qt::Alignment kFigureAlignment = Qt::AlignRight | Qt::AlignVCenter;

/// A table that is read only, whose cells are all described in one way: the text, the value behind
/// it, the alignment, and for screen readers the text with the name of its column.
class TableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(
        int section, Qt::Orientation orientation, int role) const override;

protected:
    [[nodiscard]] virtual TableColumn column(int number) const = 0;
    [[nodiscard]] virtual QString text(int row, int column) const = 0;
    [[nodiscard]] virtual QVariant value(int row, int column) const = 0;
    /// Any role that is not answered by the above.
    [[nodiscard]] virtual QVariant other(int /*row*/, int /*column*/, int /*role*/) const
    {
        return {};
    }
};

} // namespace lockstep::ui
