// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "session/training/training_plan.h"

#include <string>

namespace lockstep {

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
