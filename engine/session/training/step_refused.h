// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "session/training/training_plan.h"

#include <cstdint>
#include <string>

namespace lockstep {

/// What the classic check would have met when a step had a loss or gradient that is not finite.
struct FaultInSight
{
    std::int64_t step = 0;
    double lossLast = 0.0;                 ///< of the last tower at that step
    std::int64_t checkpointEverySteps = 0; ///< 0: none while it trains
};

/// What the check of the classic scripts, the last tower's loss looked at after the update, would
/// have made of a fault: a sentence without a full stop. Such a check sees a fault of the other
/// towers, which are N - 1 of N, a step later at the earliest, when the average with the fault in
/// it has reached every weight; a checkpoint that is due in between is saved with it.
std::string lastTowerCheckText(const FaultInSight& fault);

/// Error(Numeric) of a step that was refused: its text names tower and step.
class StepRefused : public Error
{
public:
    StepRefused(const StepFault& fault, const std::string& text)
        : Error(ErrorCode::Numeric, text), m_fault(fault)
    {
    }
    [[nodiscard]] const StepFault& fault() const noexcept { return m_fault; }

private:
    StepFault m_fault;
};

/// Of an outcome with a fault.
StepRefused refusalOf(const StepOutcome& outcome, const TrainingPlan& plan);

} // namespace lockstep
