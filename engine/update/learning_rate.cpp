// SPDX-License-Identifier: Apache-2.0
#include "update/learning_rate.h"

#include <algorithm>
#include <cmath>

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

double LearningRateSchedule::at(std::int64_t step) const
{
    const std::int64_t decays = step / m_decaySteps;
    return m_settings.initial * std::pow(m_settings.decayFactor, static_cast<double>(decays));
}

} // namespace lockstep
