// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"
#include "panels/barrier/tower_lanes.h"

namespace lockstep::ui {

/// In which share of a window of steps each tower was the one that the others waited for.
class BarrierTally : public TowerLanes
{
    Q_OBJECT

public:
    using TowerLanes::TowerLanes;

    void setSummary(const BarrierSummary& summary);

protected:
    void paintLanes(QPainter& painter) override;
    [[nodiscard]] QString toolTipAt(int tower, QPointF position) const override;

private:
    [[nodiscard]] double shareOf(int tower) const;

    BarrierSummary m_summary;
};

} // namespace lockstep::ui
