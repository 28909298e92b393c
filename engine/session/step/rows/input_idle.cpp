// SPDX-License-Identifier: Apache-2.0
#include "session/step/rows/input_idle.h"

#include <algorithm>

namespace lockstep {

double InputIdle::add(const Block& block)
{
    constexpr double kAtOnce = 0.01; // of a step: the batch was there
    if (block.others > 0) {
        m_busySeconds = block.otherSteps / block.others;
    } else if (!block.isAfterIdle && block.waited < kAtOnce * block.firstStep) {
        m_busySeconds = block.firstStep;
    }
    const double idle =
        block.isAfterIdle ? block.firstStep : std::max(0.0, block.firstStep - m_busySeconds);
    return std::min(block.waited, idle);
}

} // namespace lockstep
