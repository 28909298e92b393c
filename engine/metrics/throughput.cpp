// SPDX-License-Identifier: Apache-2.0
#include "metrics/throughput.h"

#include "base/error.h"

#include <numeric>
#include <utility>

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

void Throughput::add(const StepRecord& record)
{
    if (m_warmUpLeft > 0) {
        --m_warmUpLeft;
        return;
    }
    Step step;
    if (m_window.size() == m_windowSteps) {
        step = std::move(m_window.front()); // its memory is used again
        m_window.pop_front();
    }
    step.examples.clear();
    for (const TowerRecord& tower : record.towers) {
        step.examples.push_back(tower.examples);
    }
    step.seconds = record.stepSeconds;
    m_window.push_back(std::move(step));
}

// Summed anew each time: a running sum would drift over millions of steps, and the window is short.
double Throughput::seconds() const
{
    double sum = 0.0;
    for (const Step& step : m_window) {
        sum += step.seconds;
    }
    return sum;
}

std::optional<double> Throughput::rate() const
{
    std::int64_t examples = 0;
    for (const Step& step : m_window) {
        examples += std::accumulate(step.examples.begin(), step.examples.end(), std::int64_t{0});
    }
    return examples == 0 ? std::nullopt : std::optional(examplesPerSecond(examples, seconds()));
}

std::vector<double> Throughput::towerRates() const
{
    if (!rate()) {
        return {};
    }
    std::vector<double> rates;
    const double all = seconds();
    for (std::size_t tower = 0; tower < m_window.back().examples.size(); ++tower) {
        std::int64_t examples = 0;
        for (const Step& step : m_window) {
            examples += tower < step.examples.size() ? step.examples[tower] : 0;
        }
        rates.push_back(examplesPerSecond(examples, all));
    }
    return rates;
}

std::optional<double> Throughput::secondsFor(std::int64_t steps) const
{
    if (m_window.empty()) {
        return std::nullopt;
    }
    return seconds() / static_cast<double>(m_window.size()) * static_cast<double>(steps);
}

} // namespace lockstep
