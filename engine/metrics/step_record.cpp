// SPDX-License-Identifier: Apache-2.0
#include "metrics/step_record.h"

#include "metrics/barrier_clock.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

double withoutDecay(double loss, const StepRecord& step)
{
    if (std::isnan(step.weightDecayLoss)) {
        return loss;
    }
    // Losses are single-precision numbers: the difference would be 0, or noise.
    constexpr double kBoundless = 1e3; // no network that learns is near it
    constexpr double kRounding = 1e-6;
    const double rest = loss - step.weightDecayLoss;
    const bool isLost =
        step.weightDecayLoss > kBoundless && std::abs(rest) < kRounding * step.weightDecayLoss;
    return isLost ? std::numeric_limits<double>::quiet_NaN() : rest;
}

} // namespace

double crossEntropy(const StepRecord& step)
{
    return withoutDecay(step.lossMean, step);
}

double crossEntropy(const StepRecord& step, const TowerRecord& tower)
{
    return withoutDecay(tower.loss, step);
}

ObjectiveLosses meanObjectives(const StepRecord& step)
{
    ObjectiveLosses means;
    const std::size_t objectives = step.towers.empty() ? 0 : step.towers.front().objectives.size();
    for (std::size_t i = 0; i < objectives; ++i) {
        double sum = 0.0;
        for (const TowerRecord& tower : step.towers) {
            sum += tower.objectives[i];
        }
        means.add(sum / static_cast<double>(step.towers.size()));
    }
    return means;
}

std::optional<double> trainAccuracy(const StepRecord& step)
{
    std::int64_t correct = 0;
    std::int64_t examples = 0;
    for (const TowerRecord& tower : step.towers) {
        if (tower.correct < 0) {
            return std::nullopt;
        }
        correct += tower.correct;
        examples += tower.examples;
    }
    return examples > 0
               ? std::optional(static_cast<double>(correct) / static_cast<double>(examples))
               : std::nullopt;
}

bool isMissing(const TowerRecord& tower)
{
    return tower.examples == 0 && std::isnan(tower.loss) && !workSeconds(tower);
}

std::optional<double> workSeconds(const TowerRecord& tower)
{
    if (tower.copySeconds < 0.0 || tower.forwardSeconds < 0.0 || tower.backwardSeconds < 0.0) {
        return std::nullopt;
    }
    return tower.copySeconds + tower.forwardSeconds + tower.backwardSeconds;
}

std::optional<double> arrivalSeconds(const TowerRecord& tower)
{
    const auto work = workSeconds(tower);
    return work && tower.startSeconds >= 0.0 ? std::optional(tower.startSeconds + *work)
                                             : std::nullopt;
}

bool takesTurns(const StepRecord& step)
{
    double first = std::numeric_limits<double>::infinity();
    double lastStart = 0.0;
    for (const TowerRecord& tower : step.towers) {
        const auto arrival = arrivalSeconds(tower);
        if (!arrival || tower.device >= 0) {
            return false;
        }
        first = std::min(first, *arrival);
        lastStart = std::max(lastStart, tower.startSeconds);
    }
    return lastStart > 0.0 && lastStart >= first;
}

std::optional<double> sharedSeconds(const StepRecord& step, const TowerRecord& tower)
{
    const auto arrival = arrivalSeconds(tower);
    if (!arrival || step.computeSeconds < 0.0) {
        return std::nullopt;
    }
    if (takesTurns(step)) {
        const auto straggler = stragglerOf(step);
        const double waited = straggler ? straggler->costSeconds : 0.0;
        return std::max(0.0, step.computeSeconds - *arrival - waited);
    }
    double last = *arrival;
    for (const TowerRecord& other : step.towers) {
        if (tower.device >= 0 && other.device == tower.device) {
            last = std::max(last, arrivalSeconds(other).value_or(last));
        }
    }
    return last - *arrival;
}

std::optional<double> waitingSeconds(const StepRecord& step, const TowerRecord& tower)
{
    const auto shared = sharedSeconds(step, tower);
    return shared ? std::optional(
               std::max(0.0, step.computeSeconds - *arrivalSeconds(tower) - *shared))
                  : std::nullopt;
}

std::vector<int> deviceNumbers(const std::vector<std::string>& places)
{
    std::vector<int> numbers;
    std::vector<std::string> known;
    for (const std::string& place : places) {
        const auto found = std::ranges::find(known, place);
        const bool isHost = place == "cpu" || place.ends_with(":cpu");
        numbers.push_back(isHost ? -1 : static_cast<int>(found - known.begin()));
        if (!isHost && found == known.end()) {
            known.push_back(place);
        }
    }
    return numbers;
}

} // namespace lockstep
