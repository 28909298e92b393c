// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/arrays/join_counters.h"
#include "device/op.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace lockstep::cuda {

/// What an op has to do with the gradient of its one source besides, see TensorPlan::finish.
class FinishedGradient
{
public:
    /// `scratchBytes`: what its kernel needs for sums. They begin at the start of the scratchpad.
    void plan(OpPlan& plan, std::size_t scratchBytes)
    {
        m_finish = plan.needsDiffSrc() ? plan.src().finish : std::nullopt;
        if (m_finish && m_finish->biasOffset >= 0) {
            plan.scratchpadBytes = std::max(plan.scratchpadBytes, scratchBytes);
            plan.counterBytes = plan.features.has(StepFeature::LastBlock)
                                    ? joinCounterBytes(plan.src().shape.channels)
                                    : 0;
        }
    }

    [[nodiscard]] bool hasRelu() const
    {
        return m_finish && m_finish->activation == Activation::Relu;
    }
    [[nodiscard]] GradientEnd end(const StepContext& context, const OpMemory& memory) const
    {
        const bool hasBias = m_finish && m_finish->biasOffset >= 0;
        return {
            hasRelu(), hasBias ? context.gradients + m_finish->biasOffset : nullptr,
            reinterpret_cast<float*>(memory.scratchpad), memory.counters};
    }

private:
    std::optional<GradientFinish> m_finish;
};

} // namespace lockstep::cuda
