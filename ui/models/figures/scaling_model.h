// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/table_model.h"

namespace lockstep::ui {

/// What a number of towers brings, and where the rest is lost, in towers. Nothing where the device
/// does not tell.
struct ScalingRow
{
    int towers = 0;
    double examplesPerSecond = 0.0;
    double least = 0.0; ///< of all turns
    double greatest = 0.0;
    double speedUp = 0.0;
    double lost = 0.0; ///< towers - speed-up: the sum of the parts below
    double input = 0.0;
    std::optional<double> averaging;
    std::optional<double> update;
    std::optional<double> waiting;
    double rest = 0.0;
    double noise = 0.0; ///< parts below 0 that are no larger are shown as about 0
    bool sharesDevices = false;
    QString failure; ///< why there are no figures
};

/// The table of the scaling ruler, a row for each number of towers.
class ScalingModel : public RowModel<ScalingRow>
{
    Q_OBJECT

public:
    enum Column {
        Towers,
        Speed,
        SpeedUp,
        Efficiency,
        Lost,
        Input,
        Averaging,
        Update,
        Waiting,
        Rest
    };

    ScalingModel();

    /// The table with tabs and line ends, its header first.
    [[nodiscard]] QString toPlainText() const;

protected:
    /// Qt::ToolTipRole: from where to where the turns were, and why there are no figures.
    [[nodiscard]] QVariant other(int row, int column, int role) const override;
};

} // namespace lockstep::ui
