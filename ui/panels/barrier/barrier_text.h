// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"
#include "models/figures/tower_table_model.h"
#include "theme/palette.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

struct PhaseSpan
{
    StepPhase phase = StepPhase::Unknown;
    double seconds = 0.0;
};

/// What a tower did in a step, in the order of time. They add up to the step or to a little less:
/// the rest goes by between two steps. What no device tells is one span of StepPhase::Unknown.
std::vector<PhaseSpan> phasesOf(const StepRecord& step, const TowerRecord& tower);

/// "backward". Ranks of a recorded run load data of their own, and none waits for a turn.
QString phaseName(StepPhase phase, bool isRecorded = false);
QString phaseMeaning(StepPhase phase, bool isRecorded = false);

/// With three figures: 0.214 ms, 21.4 ms; from a second on as other durations are: 2.14 s.
QString millisecondsText(double seconds);

/// "14 %", "0.3 %".
QString shareText(double share);

/// What the barrier clock says of a window of steps beside the verdict on it, in one or more
/// sentences: how far apart the towers arrive; turns; waiting for data. Empty for a window without
/// steps. `seats` tells how far their clocks agree.
QString barrierSentences(
    const BarrierSummary& summary, const std::vector<TowerPlacement>& seats = {},
    bool isRecorded = false);
/// What the backward passes of several ranks take, seen from outside and by themselves.
QString backwardSentence(const BarrierSummary& summary, const std::vector<TowerPlacement>& seats);

} // namespace lockstep::ui
