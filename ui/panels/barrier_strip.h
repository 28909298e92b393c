// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine.h"
#include "panels/tower_lanes.h"

#include <vector>

namespace lockstep::ui {

/// The latest steps in time: each tower's work in its colour, gaps where it waits, and a tick where
/// the tower arrived that a step waited for.
class BarrierStrip : public TowerLanes
{
    Q_OBJECT

public:
    using TowerLanes::TowerLanes;

    /// In order, all of the same number of towers.
    void setSteps(const std::vector<StepRecord>& steps);
    /// All of them together.
    [[nodiscard]] double seconds() const { return m_seconds; }

protected:
    void paintLanes(QPainter& painter) override;
    [[nodiscard]] QString toolTipAt(int tower, QPointF position) const override;

private:
    void paintStep(QPainter& painter, const StepRecord& step, double begin) const;
    [[nodiscard]] QRectF placeOf(int tower, double begin, double seconds) const;

    std::vector<StepRecord> m_steps;
    double m_seconds = 0.0;
};

} // namespace lockstep::ui
