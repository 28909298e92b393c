// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

/// Staircase: initial * decayFactor^floor(step / decaySteps).
struct LearningRateSettings
{
    double initial = 0.1;
    double decayFactor = 0.1;
    double epochsPerDecay = 350.0; ///< passes over the training set between two decays
    /// The rule that TensorFlow's script had until November 2018: decay steps from the batch of one
    /// tower, so that with N towers the first decay comes after N * epochsPerDecay passes.
    bool ignoreTowers = false;
};

/// The schedule of one run. Defined in examples, so that it means the same for any number of
/// towers.
class LearningRateSchedule
{
public:
    /// `examples`: size of the training set.
    LearningRateSchedule(
        const LearningRateSettings& settings, std::int64_t examples, int towers,
        std::int64_t batchPerTower);

    /// floor(examples * epochsPerDecay / batch), at least 1.
    [[nodiscard]] std::int64_t decaySteps() const noexcept { return m_decaySteps; }
    /// Rate of the update that follows `step` updates.
    [[nodiscard]] double at(std::int64_t step) const;

private:
    LearningRateSettings m_settings;
    std::int64_t m_decaySteps;
};

} // namespace lockstep
