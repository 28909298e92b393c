// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <vector>

namespace lockstep::ui {

/// How many examples a data set has of a class.
struct ClassBalanceRow
{
    QString name;
    qint64 train = 0;
    qint64 test = 0;
    bool isExpected = true; ///< to have examples: the background has none
};

/// The classes of a data set, in the order of their labels. A number of examples has kBarRole: its
/// ratio to that of the largest class of the split; WarningRole where there are none but should be.
class ClassBalanceModel : public TableModel
{
    Q_OBJECT

public:
    enum Column { Label, Name, Train, TrainShare, Test, TestShare, ColumnCount };
    static constexpr int kBarRole = RecordRole + 1;

    using TableModel::TableModel;

    void setRows(std::vector<ClassBalanceRow> rows);
    [[nodiscard]] const std::vector<ClassBalanceRow>& rows() const noexcept { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    /// Of one split.
    struct Extent
    {
        qint64 most = 0;
        qint64 all = 0;
    };
    [[nodiscard]] qint64 count(int row, int column) const;
    [[nodiscard]] const Extent& extent(int column) const;

    std::vector<ClassBalanceRow> m_rows;
    Extent m_train;
    Extent m_test;
};

} // namespace lockstep::ui
