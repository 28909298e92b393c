// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/kernel_test.h"
#include "device/step_state.h"

#include <hwy/targets.h>

#include <vector>

namespace lockstep::test {

/// A state of a training on the device, with what reads it.
struct Scene
{
    explicit Scene(const StepState& first = {}) : state(std::vector<StepState>{first}) {}

    [[nodiscard]] StepState after() const
    {
        stream.synchronize();
        return state[0];
    }

    TestStream stream;
    DeviceArray<StepState> state;
};

/// After step `step` was refused, two steps ago.
inline StepState stuckAt(std::int64_t step)
{
    StepState state;
    state.step = step + 3;
    state.stuckStep = step;
    state.fault = fault::ofGradient(77, 1);
    state.weightDecayLoss = 0.5;
    return state;
}

/// What the CPU device calculates with, where it can; our kernels always do.
inline bool hostHasFusedMultiplyAdd()
{
    return (hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL)) != 0;
}

} // namespace lockstep::test
