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
    /// The settings whose schedule has the rate `rate` at `step`, to the last bit where a double
    /// allows it, and decays on from there. Error(BadInput) if the rate is no number of 0 or more,
    /// or if the decays until `step` have left nothing of any rate.
    [[nodiscard]] LearningRateSettings withRateAt(std::int64_t step, double rate) const;

private:
    [[nodiscard]] double decayAt(std::int64_t step) const;

    LearningRateSettings m_settings;
    std::int64_t m_decaySteps;
};

/// The linear scaling rule: a batch that is k times as large takes k times the learning rate. Goyal
/// et al., "Accurate, Large Minibatch SGD: Training ImageNet in 1 Hour", 2017, arXiv:1706.02677,
/// section 2.1; they warm the rate up first. Needs batch > 0.
double linearlyScaledRate(double rate, std::int64_t batch, std::int64_t newBatch);

} // namespace lockstep
