// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <vector>

namespace lockstep::ui {

/// A layer of a network, and what it takes.
struct LayerRow
{
    QString name;
    QString kind;
    QString shape; ///< of what comes out for one example
    bool hasParameters = false;
    qint64 parameters = 0;
    qint64 weightBytes = 0;
    qint64 gradientBytes = 0;
    qint64 activationBytes = 0; ///< of a tower's batch
    qint64 forwardFlop = 0;     ///< for one example, as backward
    qint64 backwardFlop = 0;
};

/// The layers of a network in their order, and their sum in a last row, which has EmphasisRole.
class LayerTableModel : public TableModel
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
        Backward,
        ColumnCount
    };

    using TableModel::TableModel;

    void setLayers(std::vector<LayerRow> layers);
    [[nodiscard]] const std::vector<LayerRow>& layers() const noexcept { return m_layers; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    [[nodiscard]] const LayerRow& at(int row) const;

    std::vector<LayerRow> m_layers;
    LayerRow m_sum;
};

} // namespace lockstep::ui
