// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/run_cost_meter.h"

#include "metrics/median.h"

#include <fmt/ranges.h>

#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <fstream>

namespace lockstep {
namespace {

constexpr std::size_t kLeastSteps = 20; ///< the first ones are slower
constexpr std::size_t kMostSteps = 1000;

std::string nameOf(const RunPhase& phase)
{
    return fmt::format("{} without {}", phase.objective, fmt::join(phase.frozen, ","));
}

} // namespace

void RunCostMeter::begin(std::int64_t epochExamples)
{
    m_startSeconds = m_watch.seconds();
    m_epochExamples = epochExamples;
    m_mark.emplace(RunCostStore::defaultFile().parent_path());
}

void RunCostMeter::addStep(const RunPhase& phase, double stepSeconds)
{
    std::deque<double>& steps = m_steps[nameOf(phase)];
    steps.push_back(stepSeconds);
    if (steps.size() > kMostSteps) {
        steps.pop_front();
    }
}

std::optional<RunCosts> RunCostMeter::costs() const
{
    RunCosts costs;
    for (const RunPhase& phase : costPhases(m_asked)) {
        const auto steps = m_steps.find(nameOf(phase));
        if (steps == m_steps.end() || steps->second.size() < kLeastSteps) {
            return std::nullopt;
        }
        costs.stepSeconds.push_back(median({steps->second.begin(), steps->second.end()}));
    }
    costs.startSeconds = m_startSeconds;
    costs.evaluationSeconds = m_evaluations.empty() ? -1.0 : 2.0 * median(m_evaluations);
    costs.bytes = peakProcessBytes();
    costs.epochExamples = m_epochExamples;
    costs.isDisturbed = m_others.areInTheWay();
    return costs;
}

void RunCostMeter::keep() const
{
    try {
        auto known = costs();
        RunCostStore store(m_asked);
        const auto measured = m_isAlone ? known : store.find(CostSource::Measured);
        if (known && measured) {
            known->bytes = measured->bytes;
            store.keep(CostSource::Run, *known);
        }
    } catch (const std::exception&) { // the next estimate is measured
        return;
    }
}

bool isProcessSmall()
{
    constexpr std::int64_t kSmallBytes = std::int64_t{64} << 20U;
    std::int64_t pages = 0;
    std::int64_t resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * sysconf(_SC_PAGESIZE) < kSmallBytes;
}

std::size_t peakProcessBytes()
{
    constexpr std::size_t kKibibyte = 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return kKibibyte * static_cast<std::size_t>(usage.ru_maxrss);
}

} // namespace lockstep
