// SPDX-License-Identifier: Apache-2.0
#include "metrics/throughput.h"

#include "base/error.h"

namespace lockstep {

double examplesPerSecond(std::int64_t globalBatch, double stepSeconds)
{
    return stepSeconds > 0.0 ? static_cast<double>(globalBatch) / stepSeconds : 0.0;
}

double secondsPerBatch(double stepSeconds, int towers)
{
    require(towers > 0, "seconds per batch need at least one tower");
    return stepSeconds / towers;
}

Throughput::Throughput(std::size_t windowSteps, std::size_t warmUpSteps)
    : m_windowSteps(windowSteps), m_warmUpLeft(warmUpSteps)
{
    require(windowSteps > 0, "a throughput window holds at least one step");
}

void Throughput::add(std::int64_t globalBatch, double stepSeconds)
{
    if (m_warmUpLeft > 0) {
        --m_warmUpLeft;
        return;
    }
    if (m_window.size() == m_windowSteps) {
        m_window.pop_front();
    }
    m_window.push_back({globalBatch, stepSeconds});
}

// Summed anew each time: a running sum would drift over millions of steps, and the window is short.
Throughput::Step Throughput::total() const
{
    Step sum{0, 0.0};
    for (const auto& step : m_window) {
        sum.examples += step.examples;
        sum.seconds += step.seconds;
    }
    return sum;
}

std::optional<double> Throughput::rate() const
{
    const Step sum = total();
    return sum.examples == 0 ? std::nullopt
                             : std::optional(examplesPerSecond(sum.examples, sum.seconds));
}

std::optional<double> Throughput::secondsFor(std::int64_t steps) const
{
    if (m_window.empty()) {
        return std::nullopt;
    }
    return total().seconds / static_cast<double>(m_window.size()) * static_cast<double>(steps);
}

} // namespace lockstep
