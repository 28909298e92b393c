// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"
#include "panels/barrier/barrier_phases.h"
#include "panels/barrier/tower_lanes.h"

namespace lockstep::ui {

/// What each tower did in one step, as a bar of its phases; as wide as the step was long.
class BarrierBars : public TowerLanes
{
    Q_OBJECT

public:
    using TowerLanes::TowerLanes;

    void setStep(const StepRecord& step);
    /// The phase that is painted there; none beside the bars and between two steps.
    [[nodiscard]] std::optional<PhaseSpan> phaseAt(int tower, double x) const;

protected:
    void paintLanes(QPainter& painter) override;
    [[nodiscard]] QString toolTipAt(int tower, QPointF position) const override;

private:
    [[nodiscard]] QString spokenText() const;

    StepRecord m_step;
};

} // namespace lockstep::ui
