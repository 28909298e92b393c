// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

namespace lockstep::ui {

/// How many examples a data set has of a class.
struct ClassBalanceRow
{
    QString name;
    qint64 train = 0;
    qint64 test = 0;
    bool isExpected = true; ///< to have examples: the background has none
    int label = 0;          ///< the model numbers them
};

/// The classes of a data set, in the order of their labels. A number of examples has BarRole: its
/// ratio to that of the largest class of the split; WarningRole where there are none but should be.
class ClassBalanceModel : public RowModel<ClassBalanceRow>
{
    Q_OBJECT

public:
    enum Column { Label, Name, Train, TrainShare, Test, TestShare, ColumnCount };

    explicit ClassBalanceModel(QObject* parent = nullptr);

    void setRows(std::vector<ClassBalanceRow> rows);

protected:
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    /// Of one split.
    struct Extent
    {
        qint64 most = 0;
        qint64 all = 0;
    };
    Extent m_train;
    Extent m_test;
};

} // namespace lockstep::ui
