// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

#include <vector>

namespace lockstep::ui {

/// Where a tower sits for the whole run.
struct TowerSeat
{
    QString device;         ///< "cpu", "cuda:0"
    qint64 memoryBytes = 0; ///< of its replica: activations, gradients, workspace
};

/// What a tower did lately.
struct TowerFigures
{
    double loss = 0.0;                  ///< of its latest step
    double busyExamplesPerSecond = 0.0; ///< its examples / the seconds in which it was busy
};

/// One row for each tower.
class TowerTableModel : public TableModel
{
    Q_OBJECT

public:
    enum Column { Tower, Device, Loss, BusyRate, Memory, ColumnCount };

    using TableModel::TableModel;

    /// A new run: so many towers, without figures yet.
    void setSeats(std::vector<TowerSeat> seats);
    /// In the order of the towers, one for each seat.
    void setFigures(std::vector<TowerFigures> figures);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] TableColumn column(int number) const override;
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    /// ColorIndexRole in every cell.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    std::vector<TowerSeat> m_seats;
    std::vector<TowerFigures> m_figures; // empty before the first step
};

} // namespace lockstep::ui
