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
#include <numeric>

namespace lockstep {
namespace {

constexpr int kLeastSteps = 10;
/// The range test diverges where its last few steps are above the untrained network by this share
/// of its cross-entropy.
constexpr double kMostRise = 0.1;
constexpr std::size_t kRiseSteps = 5;
/// So many times the cross-entropy of the untrained network, or weight decay so much larger that
/// nothing is left of the cross-entropy beside it, is as good as no number.
constexpr double kHopeless = 100.0;
constexpr double kHopelessDecay = 1e4;
/// The first trial is so far below the steepest place, and so far below the last rate of the test.
constexpr double kBelowSteepest = 3.0;
constexpr double kBelowEnd = 10.0;

/// So many times as long are the second trials, where the first ones leave the choice open.
constexpr int kLonger = 2;

/// What the rates of a run say is not asked for, nor what it trains later.
RunConfig withoutSchedule(RunConfig config, std::int64_t steps)
{
    config.learningRate = {.decayFactor = 1.0};
    config.epochs = 0.0;
    config.gradientsEverySteps = 0;
    config.alerts = {};
    PhaseSettings first = config.trainedPhases().front();
    first.learningRate.reset();
    first.steps = steps;
    config.phases = {first};
    config.steps = steps;
    return config;
}

/// Trains from the initial weights, again and again.
class RateTrainer
{
public:
    RateTrainer(
        const RunConfig& config, const RateFinderSettings& settings, const OnRateFinding& onFinding)
        : m_settings(settings), m_onFinding(onFinding),
          m_training(openDataset(
              datasetOf(config), Split::Train, [this](double /*share*/) { return mayGoOn(); })),
          m_session(
              withoutSchedule(config, std::int64_t{kLonger} * settings.steps), *m_training,
              [this] { return mayGoOn(); })
    {
        if (config.initialWeights.isGiven()) {
            m_session.takeOver(readInitialTensors(planInitialWeights(
                m_session.plan().network, config.initialWeights,
                initialWeightsFile(config.initialWeights))));
        }
        m_initial = m_session.capture();
    }

    RateFinding find()
    {
        m_found.trialSteps = m_settings.steps;
        watchUntrained();
        sweep();
        const double last = m_found.sweep.empty() ? m_settings.low : m_found.sweep.back().rate;
        const auto steepest = steepestRate(m_found.sweep, m_found.untrained);
        const double first =
            std::min(last / kBelowEnd, steepest.value_or(m_settings.high) / kBelowSteepest);
        auto chosen = search(first);
        if (!chosen || !isClearlyBetter(*chosen, *m_found.trialOf(chosen->rate / 10.0))) {
            m_found.trialSteps *= kLonger;
            m_found.trials.clear();
            watchUntrained();
            chosen = search(chosen ? chosen->rate : first);
        }
        if (chosen) {
            m_found.rate = chosen->rate;
        }
        return std::move(m_found);
    }

private:
    [[nodiscard]] bool mayGoOn() const { return m_onFinding(m_found); }

    void checkCancelled() const
    {
        if (!mayGoOn()) {
            fail(ErrorCode::Cancelled, "the search for a learning rate was cancelled");
        }
    }

    std::optional<RateTrial> search(double first)
    {
        return searchRate(
            {std::max(first, m_settings.low), m_settings.low, m_settings.high}, m_found.untrained,
            [this](double rate) { return tryRate(rate); });
    }

    /// The cross-entropy before an update with this rate; none where it diverges.
    std::optional<double> step(double rate)
    {
        checkCancelled();
        if (m_session.plan().learningRateAt(m_session.progress().step) != rate) {
            m_session.setLearningRate(rate);
        }
        try {
            const StepRecord& record = m_session.step().record;
            const double value = crossEntropy(record);
            const bool isHopeless = value > kHopeless * m_level || !std::isfinite(value)
                                    || record.weightDecayLoss > kHopelessDecay * m_level;
            return isHopeless ? std::nullopt : std::optional(value);
        } catch (const StepRefused&) {
            return std::nullopt;
        }
    }

    /// With a rate of 0 nothing is learnt. Errors of the step are errors.
    void watchUntrained()
    {
        m_session.restore(m_initial);
        m_session.setLearningRate(0.0);
        m_found.untrained.clear();
        for (int i = 0; i < m_found.trialSteps; ++i) {
            checkCancelled();
            m_found.untrained.push_back(crossEntropy(m_session.step().record));
        }
        m_level = std::reduce(m_found.untrained.begin(), m_found.untrained.end())
                  / static_cast<double>(m_found.trialSteps);
    }

    [[nodiscard]] double riseAt(std::size_t place) const
    {
        return m_found.sweep[place].crossEntropy - m_found.untrained[place];
    }

    void sweep()
    {
        m_session.restore(m_initial);
        auto& steps = m_found.sweep;
        for (int i = 0; i < m_settings.steps; ++i) {
            const double rate = m_settings.rateAt(i);
            const auto value = step(rate);
            if (!value) {
                break;
            }
            steps.push_back({rate, *value});
            smoothRates(steps, m_found.untrained);
            double rise = 0.0;
            for (std::size_t back = 1; back <= kRiseSteps && back <= steps.size(); ++back) {
                rise += riseAt(steps.size() - back) / static_cast<double>(kRiseSteps);
            }
            if (rise > kMostRise * m_level) {
                break;
            }
        }
        while (!steps.empty() && riseAt(steps.size() - 1) > 0.0) {
            steps.pop_back();
        }
        smoothRates(steps, m_found.untrained);
        checkCancelled(); // shows it
    }

    RateTrial tryRate(double rate)
    {
        m_session.restore(m_initial);
        m_found.trials.push_back({rate});
        for (int i = 0; i < m_found.trialSteps; ++i) {
            const auto value = step(rate);
            if (!value) {
                m_found.trials.back().isDiverged = true;
                break;
            }
            m_found.trials.back().crossEntropies.push_back(*value);
        }
        checkCancelled();
        return m_found.trials.back();
    }

    const RateFinderSettings& m_settings;
    const OnRateFinding& m_onFinding;
    RateFinding m_found;
    std::unique_ptr<Dataset> m_training;
    TrainingSession m_session;
    Checkpoint m_initial;
    double m_level = 0.0; ///< of the untrained network
};

} // namespace

void RateFinderSettings::validate() const
{
    if (!(low > 0.0 && low < high && std::isfinite(high))) {
        fail(
            ErrorCode::BadInput,
            "the rates are {} to {}, but must be more than 0, the second above the first", low,
            high);
    }
    if (!hasRateToTry(low, high)) {
        fail(
            ErrorCode::BadInput,
            "none of the rates that are tried (1, 3, 10, … and 0.3, 0.1, …) is from {} to {}", low,
            high);
    }
    if (steps < kLeastSteps) {
        fail(ErrorCode::BadInput, "the steps are {}, but must be at least {}", steps, kLeastSteps);
    }
}

double RateFinderSettings::rateAt(int step) const
{
    return low * std::pow(high / low, static_cast<double>(step) / (steps - 1));
}

const RateTrial* RateFinding::trialOf(double wanted) const
{
    constexpr double kEqual = 1e-9;
    const auto found = std::ranges::find_if(trials, [wanted](const RateTrial& trial) {
        return std::abs(trial.rate / wanted - 1.0) < kEqual;
    });
    return found == trials.end() ? nullptr : &*found;
}

RateFinding findRate(
    const RunConfig& config, const RateFinderSettings& settings, const OnRateFinding& onFinding)
{
    settings.validate();
    return RateTrainer(config, settings, onFinding).find();
}

bool areTriedAlike(const RunConfig& a, const RunConfig& b)
{
    return toToml(withoutSchedule(a, 1)) == toToml(withoutSchedule(b, 1));
}

bool hasOwnRate(const RunConfig& config)
{
    return config.trainedPhases().front().learningRate.has_value();
}

void takeRate(RunConfig& config, double rate)
{
    if (hasOwnRate(config)) {
        config.phases = config.trainedPhases();
        config.phases.front().learningRate = rate;
    } else {
        config.learningRate.initial = rate;
    }
}

} // namespace lockstep
