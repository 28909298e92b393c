// SPDX-License-Identifier: Apache-2.0
#include "update/learning_rate.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

std::int64_t decayStepsOf(
    const LearningRateSettings& settings, std::int64_t examples, int towers,
    std::int64_t batchPerTower)
{
    const std::int64_t batch = settings.ignoreTowers ? batchPerTower : towers * batchPerTower;
    const double steps =
        static_cast<double>(examples) * settings.epochsPerDecay / static_cast<double>(batch);
    // Beyond 2^62 the schedule never decays.
    return static_cast<std::int64_t>(std::clamp(std::floor(steps), 1.0, 0x1p62));
}

} // namespace

LearningRateSchedule::LearningRateSchedule(
    const LearningRateSettings& settings, std::int64_t examples, int towers,
    std::int64_t batchPerTower)
    : m_settings(settings), m_decaySteps(decayStepsOf(settings, examples, towers, batchPerTower))
{
}

double LearningRateSchedule::decayAt(std::int64_t step) const
{
    const std::int64_t decays = step / m_decaySteps;
    return std::pow(m_settings.decayFactor, static_cast<double>(decays));
}

double LearningRateSchedule::at(std::int64_t step) const
{
    return m_settings.initial * decayAt(step);
}

LearningRateSettings LearningRateSchedule::withRateAt(std::int64_t step, double rate) const
{
    if (!std::isfinite(rate) || rate < 0.0) {
        fail(
            ErrorCode::BadInput, "the learning rate is {}, but must be a number of 0 or more",
            rate);
    }
    const double decay = decayAt(step);
    LearningRateSettings settings = m_settings;
    settings.initial = rate == 0.0 ? 0.0 : rate / decay;
    if (!std::isfinite(settings.initial)) {
        fail(
            ErrorCode::BadInput,
            "the learning rate can't be {} at step {}: the decays until there (x {}, "
            "learning_rate.decay_factor) leave nothing of it; resume with another decay factor",
            rate, step, decay);
    }
    // A quotient times its divisor may be one bit beside the dividend.
    constexpr double kFar = std::numeric_limits<double>::infinity();
    for (const double other :
         {std::nextafter(settings.initial, kFar), std::nextafter(settings.initial, 0.0)}) {
        if (std::abs(other * decay - rate) < std::abs(settings.initial * decay - rate)) {
            settings.initial = other;
        }
    }
    return settings;
}

double linearlyScaledRate(double rate, std::int64_t batch, std::int64_t newBatch)
{
    return rate * static_cast<double>(newBatch) / static_cast<double>(batch);
}

} // namespace lockstep
