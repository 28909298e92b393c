// SPDX-License-Identifier: Apache-2.0
#include "session/rate_finder/rate_finder.h"

#include "base/error.h"
#include "dataset/formats/catalog.h"
#include "session/config/run_data.h"
#include "session/run/initial_weights.h"
#include "session/training/training_session.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace lockstep {
namespace {

constexpr std::size_t kLeastTrials = 10;

/// What the rates of a run say is not asked for.
RunConfig withoutSchedule(RunConfig config, const RateFinderSettings& settings)
{
    config.learningRate = {.initial = settings.low, .decayFactor = 1.0};
    config.epochs = 0.0;
    config.gradientsEverySteps = 0;
    for (PhaseSettings& phase : config.phases) {
        phase.learningRate.reset();
    }
    config.setSteps(std::max<std::int64_t>(config.steps, settings.steps));
    return config;
}

void takeInitialWeights(const RunConfig& config, TrainingSession& session)
{
    if (config.initialWeights.isGiven()) {
        session.takeOver(readInitialTensors(planInitialWeights(
            session.plan().network, config.initialWeights,
            initialWeightsFile(config.initialWeights))));
    }
}

} // namespace

void RateFinderSettings::validate() const
{
    if (!(low > 0.0 && low < high && std::isfinite(high))) {
        fail(
            ErrorCode::BadInput,
            "the rates are {} to {}, but must be more than 0, the second above the first", low,
            high);
    }
    if (steps < static_cast<int>(kLeastTrials)) {
        fail(ErrorCode::BadInput, "the steps are {}, but must be at least {}", steps, kLeastTrials);
    }
}

double RateFinderSettings::rateAt(int step) const
{
    return low * std::pow(high / low, static_cast<double>(step) / (steps - 1));
}

std::vector<RateTrial> tryRates(
    const RunConfig& config, const RateFinderSettings& settings, const OnRateTrials& onTrials)
{
    settings.validate();
    std::vector<RateTrial> trials;
    const auto mayGoOn = [&] { return onTrials(trials); };
    const auto training =
        openDataset(datasetOf(config), Split::Train, [&](double /*share*/) { return mayGoOn(); });
    TrainingSession session(withoutSchedule(config, settings), *training, mayGoOn);
    takeInitialWeights(config, session);
    double mean = 0.0;
    double least = 0.0;
    for (int step = 0; step < settings.steps && mayGoOn(); ++step) {
        const double rate = settings.rateAt(step);
        session.setLearningRate(rate);
        double loss = 0.0;
        try {
            loss = session.step().record.lossMean;
        } catch (const StepRefused&) {
            break; // the rates before have led to no number
        }
        mean = settings.smoothing * mean + (1.0 - settings.smoothing) * loss;
        const double smoothed = mean / (1.0 - std::pow(settings.smoothing, step + 1));
        trials.push_back({rate, loss, smoothed});
        least = step == 0 ? smoothed : std::min(least, smoothed);
        if (smoothed > settings.divergence * least) {
            break;
        }
    }
    onTrials(trials);
    return trials;
}

std::optional<double> steepestRate(const std::vector<RateTrial>& trials)
{
    if (trials.size() < kLeastTrials) {
        return std::nullopt;
    }
    const std::size_t half = trials.size() / (2 * kLeastTrials) + 1;
    std::optional<double> rate;
    double steepest = 0.0;
    for (std::size_t i = half; i + half < trials.size(); ++i) {
        const double slope = (trials[i + half].smoothed - trials[i - half].smoothed)
                             / std::log(trials[i + half].rate / trials[i - half].rate);
        if (slope < steepest) {
            steepest = slope;
            rate = trials[i].rate;
        }
    }
    return rate;
}

} // namespace lockstep
