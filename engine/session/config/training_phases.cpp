// SPDX-License-Identifier: Apache-2.0
#include "session/config/training_phases.h"

#include "base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

constexpr std::int64_t kSegdecnetSteps = 6600;
constexpr double kSegdecnetRate = 0.1;

/// In proportion to their own steps.
std::vector<PhaseSettings> scaled(std::vector<PhaseSettings> phases, std::int64_t steps)
{
    const std::int64_t whole = stepsOf(phases);
    std::int64_t before = 0;
    std::int64_t begin = 0;
    for (PhaseSettings& phase : phases) {
        before += phase.steps;
        const auto share = static_cast<double>(before) / static_cast<double>(whole);
        const std::int64_t end = std::llround(share * static_cast<double>(steps));
        phase.steps = end - begin;
        begin = end;
    }
    return phases;
}

std::vector<PhaseSettings> cutOrExtended(std::vector<PhaseSettings> phases, std::int64_t steps)
{
    std::int64_t left = steps;
    for (PhaseSettings& phase : phases) {
        phase.steps = std::min(phase.steps, left);
        left -= phase.steps;
    }
    while (phases.size() > 1 && phases.back().steps == 0) {
        phases.pop_back();
    }
    phases.back().steps += left;
    return phases;
}

} // namespace

std::vector<PhaseSettings> usualPhases(const std::string& model)
{
    if (model != "segdecnet") {
        return {};
    }
    return {
        {"segmentation", kSegdecnetSteps, kSegdecnetRate, {}},
        {"decision", kSegdecnetSteps, kSegdecnetRate, {"segmentation"}}};
}

std::int64_t stepsOf(const std::vector<PhaseSettings>& phases)
{
    std::int64_t steps = 0;
    for (const PhaseSettings& phase : phases) {
        steps += phase.steps;
    }
    return steps;
}

std::vector<PhaseSettings> fittedPhases(
    const std::vector<PhaseSettings>& phases, const std::string& model, std::int64_t steps)
{
    if (!phases.empty()) {
        return cutOrExtended(phases, steps);
    }
    const std::vector<PhaseSettings> usual = usualPhases(model);
    return usual.empty() ? std::vector<PhaseSettings>{{"", steps, std::nullopt, {}}}
                         : scaled(usual, steps);
}

std::vector<RunPhase> phasePlan(const std::vector<PhaseSettings>& phases)
{
    std::vector<RunPhase> plan;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        const PhaseSettings& phase = phases[i];
        const std::int64_t end = begin + phase.steps;
        if (phase.steps > 0 || (plan.empty() && i + 1 == phases.size())) {
            plan.push_back({begin, end, phase.objective, phase.learningRate, phase.frozen});
        }
        begin = end;
    }
    return plan;
}

std::size_t phaseAt(const std::vector<RunPhase>& plan, std::int64_t step)
{
    require(!plan.empty(), "a run without a phase");
    const auto found =
        std::ranges::find_if(plan, [&](const RunPhase& phase) { return step < phase.endStep; });
    return found == plan.end() ? plan.size() - 1
                               : static_cast<std::size_t>(std::distance(plan.begin(), found));
}

std::vector<PhaseSettings> withRateFrom(
    const std::vector<PhaseSettings>& phases, std::int64_t step, double rate)
{
    std::vector<PhaseSettings> changed;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        const PhaseSettings& phase = phases[i];
        const bool isLast = i + 1 == phases.size();
        const std::int64_t before = std::clamp<std::int64_t>(step - begin, 0, phase.steps);
        const bool isMeant = step >= begin && (isLast || before < phase.steps);
        if (!isMeant || before > 0) {
            changed.push_back(phase);
        }
        if (isMeant) {
            if (before > 0) {
                changed.back().steps = before;
            }
            changed.push_back(phase);
            changed.back().steps = phase.steps - before;
            changed.back().learningRate = rate;
        }
        begin += phase.steps;
    }
    return changed;
}

NetworkSpec networkOf(const NetworkSpec& network, const RunPhase& phase)
{
    if (phase.objective.empty() && phase.frozen.empty()) {
        return network;
    }
    const std::string text = phase.objective.empty() ? "joint" : phase.objective;
    return network.withObjectives(objectivesNamed(network, text), phase.frozen);
}

std::string phaseText(const RunPhase& phase)
{
    return fmt::format(
        "steps {} to {}: {}, learning rate {}{}", phase.firstStep,
        std::max(phase.firstStep, phase.endStep - 1),
        phase.objective.empty() ? "all objectives" : phase.objective,
        phase.learningRate ? fmt::format("{}", *phase.learningRate) : "by the schedule",
        phase.frozen.empty() ? "" : fmt::format("; frozen: {}", fmt::join(phase.frozen, ", ")));
}

void checkPhases(const std::vector<PhaseSettings>& phases)
{
    for (std::size_t i = 0; i < phases.size(); ++i) {
        const PhaseSettings& phase = phases[i];
        if (phase.steps < 0) {
            fail(
                ErrorCode::BadInput, "phase.{}.steps is {}, but must be at least 0", i,
                phase.steps);
        }
        if (phase.learningRate
            && (!std::isfinite(*phase.learningRate) || *phase.learningRate < 0)) {
            fail(
                ErrorCode::BadInput,
                "phase.{}.learning_rate is {}, but must be a number of 0 or more", i,
                *phase.learningRate);
        }
    }
}

} // namespace lockstep
