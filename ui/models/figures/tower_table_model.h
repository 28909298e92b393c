// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

namespace lockstep::ui {

/// Where a tower sits for the whole run.
struct TowerPlacement
{
    QString device;            ///< "cpu", "cuda:0"; of several ranks "rank1@node7:cuda:0"
    qint64 memoryBytes = 0;    ///< of its replica: activations, gradients, workspace
    double clockSeconds = 0.0; ///< that its times may be wrong by, beside those of rank 0
};

/// What a tower did lately.
struct TowerFigures
{
    std::optional<double> loss; ///< of its latest step; empty: it had no part in it
    std::optional<double> rate; ///< its examples per second; empty: not known
};

/// What a device said of itself lately; numbers that it does not tell are negative.
struct DeviceFigures
{
    QString device;              ///< "cuda:0"
    qint64 memoryUsedBytes = -1; ///< by all programs
    qint64 memoryTotalBytes = -1;
    double load = -1.0;        ///< share of the last second in which it computed, 0 to 1
    double temperature = -1.0; ///< degrees Celsius
    double powerWatts = -1.0;
    QString throttleReason; ///< why its clocks are lowered: "power limit, too hot"; empty: not
};

struct TowerRow
{
    int number = 0;
    TowerPlacement seat;
    std::optional<TowerFigures> figures; ///< none before the first step
    DeviceFigures device;                ///< of its seat
};

/// One row for each tower. What its device says of itself stands in columns that appear when the
/// first device tells such a value.
class TowerTableModel : public RowModel<TowerRow>
{
    Q_OBJECT

public:
    enum Column {
        Tower,
        Device,
        Loss,
        Rate,
        Memory,
        AlwaysThere, ///< so many columns are
        DeviceMemory = AlwaysThere,
        Load,
        Temperature,
        Power,
        SlowedBy,
        ColumnCount
    };

    TowerTableModel();

    /// A new run: so many towers, without figures yet.
    void setSeats(std::vector<TowerPlacement> seats);
    /// In the order of the towers, one for each seat.
    void setFigures(std::vector<TowerFigures> figures);
    /// For the towers that sit on this device.
    void setDevice(const DeviceFigures& figures);
    /// Where a column stands now; -1: nowhere.
    [[nodiscard]] int placeOf(Column column) const;

    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] const TableColumn<TowerRow>& column(int number) const override;
    /// ColorIndexRole in every cell; Qt::ToolTipRole where a device tells more than there is room
    /// for.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;

private:
    void showColumn(Column column);

    std::vector<Column> m_shown{Tower, Device, Loss, Rate, Memory}; // rising
};

} // namespace lockstep::ui
