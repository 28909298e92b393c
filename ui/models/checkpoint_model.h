// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QDateTime>

#include <vector>

namespace lockstep::ui {

/// A checkpoint on disk.
struct CheckpointItem
{
    qint64 step = 0;
    QString file;
    qint64 bytes = 0;
    QDateTime written;
};

/// The checkpoints of a run, the newest on top.
class CheckpointModel : public TableModel
{
    Q_OBJECT

public:
    enum Column { Step, File, Size, Written, ColumnCount };

    using TableModel::TableModel;

    void setItems(std::vector<CheckpointItem> items);
    [[nodiscard]] const CheckpointItem& item(int row) const
    {
        return m_items[static_cast<std::size_t>(row)];
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    /// FileRole and Qt::ToolTipRole: the whole path.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    std::vector<CheckpointItem> m_items;
};

} // namespace lockstep::ui
