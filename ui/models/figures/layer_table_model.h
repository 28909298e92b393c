// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <span>

namespace lockstep::ui {

/// A layer of a network, and what it takes.
struct LayerRow
{
    QString name;
    QString kind;
    QString shape; ///< of what comes out for one example; none of a sum
    bool hasParameters = false;
    qint64 parameters = 0;
    qint64 weightBytes = 0;     ///< and as many of its gradients
    qint64 activationBytes = 0; ///< of a tower's batch
    qint64 forwardFlop = 0;     ///< for one example, as backward
    qint64 backwardFlop = 0;
};

/// The layers of a network in their order, and their sum in a last row, which has EmphasisRole.
class LayerTableModel : public RowModel<LayerRow>
{
    Q_OBJECT

public:
    enum Column {
        Name,
        Kind,
        Output,
        Parameters,
        Weights,
        Gradients,
        Activations,
        Forward,
        Backward
    };

    LayerTableModel();

    void setLayers(std::vector<LayerRow> layers);
    /// Without the sum.
    [[nodiscard]] std::span<const LayerRow> layers() const
    {
        return std::span(rows()).first(rows().empty() ? 0 : rows().size() - 1);
    }
};

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

    GradientTableModel();

    void setRows(std::vector<GradientRow> rows);

protected:
    /// ColorIndexRole: the tower of a column, none before; EmphasisRole: the whole network.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;
};

} // namespace lockstep::ui
