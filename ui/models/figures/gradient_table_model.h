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
class GradientTableModel : public RowModel<GradientRow>
{
    Q_OBJECT

public:
    enum Column { Layer, WeightNorm, GradientNorm, UpdateToWeight, FirstTower };

    explicit GradientTableModel(QObject* parent = nullptr);

    void setRows(std::vector<GradientRow> rows);

protected:
    /// ColorIndexRole: the tower of a column, none before; EmphasisRole: the whole network.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;
};

} // namespace lockstep::ui
