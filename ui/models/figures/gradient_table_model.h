// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

/// What the last measured step says of a layer.
struct GradientRow
{
    QString layer; ///< empty: the whole network
    double weightNorm = 0.0;
    double gradientNorm = 0.0;
    double updateToWeight = 0.0;
    std::vector<double> cosines; ///< of each tower's gradient and their mean
};

/// The whole network in the first row, then one for each layer. A column for each tower, where
/// there are several.
class GradientTableModel : public TableModel
{
    Q_OBJECT

public:
    enum Column { Layer, WeightNorm, GradientNorm, UpdateToWeight, FirstTower };

    using TableModel::TableModel;

    void setRows(std::vector<GradientRow> rows);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    /// A number, or nothing where none is defined.
    [[nodiscard]] QVariant value(int row, int column) const override;
    /// ColorIndexRole: the tower of a column, none before; EmphasisRole: the whole network.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    std::vector<GradientRow> m_rows;
    int m_towers = 0; ///< that have a column
};

} // namespace lockstep::ui
