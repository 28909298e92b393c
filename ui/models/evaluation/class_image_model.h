// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QStringList>

#include <vector>

namespace lockstep::ui {

/// What a network that classifies said of an image of the test set.
struct ClassImageRow
{
    qint64 example = 0; ///< number in the test set
    int label = 0;
    int predicted = -1; ///< -1: none, its logits are not finite
    double probability = 0.0;
    double labelProbability = 0.0;
    double loss = 0.0;
};

/// Name of a class; its number where it has none.
QString className(const QStringList& names, int number);

/// The images of an evaluation. Those that were taken for another class have WarningRole. By their
/// values, a loss that is not finite is larger than any, and such a probability less than any.
class ClassImageModel : public TableModel
{
    Q_OBJECT

public:
    enum Column { Image, Label, Prediction, Probability, LabelProbability, Loss, ColumnCount };

    using TableModel::TableModel;

    /// `names` of the classes, label by label.
    void setRows(std::vector<ClassImageRow> rows, const QStringList& names);
    [[nodiscard]] const std::vector<ClassImageRow>& rows() const noexcept { return m_rows; }
    [[nodiscard]] const QStringList& names() const noexcept { return m_names; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    [[nodiscard]] double figure(int row, int column) const;
    [[nodiscard]] const ClassImageRow& at(int row) const
    {
        return m_rows[static_cast<std::size_t>(row)];
    }

    std::vector<ClassImageRow> m_rows;
    QStringList m_names;
};

} // namespace lockstep::ui
