// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// The course of the learning rate after its warm-up.
enum class RateCourse { Exponential, Step, Cosine, Polynomial };

/// "exponential", "step", "cosine", "polynomial"; Error(BadInput) for anything else.
RateCourse rateCourseByName(const std::string& name);

/// The rate of step s is initial x share(s). During a warm-up of W steps the share is multiplied by
/// (s + 1) / W (Goyal et al., arXiv:1706.02677, section 2.2). The courses, of a run of T steps:
///     exponential  decayFactor^floor(s / decaySteps)
///     step         decayFactor^(milestones at or before s), as torch's MultiStepLR
///     cosine       final + (1 - final) (1 + cos(pi t)) / 2, t = (s - W) / (T - W) (Loshchilov,
///                  Hutter, arXiv:1608.03983, without restarts; torch's CosineAnnealingLR)
///     polynomial   final + (1 - final) (1 - t)^power, as torch's PolynomialLR
struct LearningRateSettings
{
    double initial = 0.1;
    double decayFactor = 0.1;
    double epochsPerDecay = 350.0; ///< passes over the training set between two decays
    /// The rule that TensorFlow's script had until November 2018: decay steps from the batch of one
    /// tower, so that with N towers the first decay comes after N * epochsPerDecay passes.
    bool ignoreTowers = false;
    std::string course = "exponential";
    std::string unit = "epochs"; ///< of the warm-up and the milestones: epochs or steps
    double warmup = 0.0;
    std::string milestones = {}; ///< "30, 60, 80"
    double finalShare = 0.0;     ///< of the initial rate, where cosine and polynomial end
    double power = 1.0;

    /// Error(BadInput) names the key.
    void validate() const;
};

/// The schedule of one run. Defined in examples, so that it means the same for any number of
/// towers.
class LearningRateSchedule
{
public:
    /// `examples`: size of the training set; `steps`: of the run, where cosine and polynomial end;
    /// `shift`: so many steps more than were made would have seen the examples of those that had
    /// another batch.
    LearningRateSchedule(
        const LearningRateSettings& settings, std::int64_t examples, int towers,
        std::int64_t batchPerTower, std::int64_t steps = 0, std::int64_t shift = 0);

    /// floor(examples * epochsPerDecay / batch), at least 1.
    [[nodiscard]] std::int64_t decaySteps() const noexcept { return m_decaySteps; }
    [[nodiscard]] std::int64_t warmupSteps() const noexcept { return m_warmupSteps; }
    [[nodiscard]] RateCourse course() const noexcept { return m_course; }
    /// In steps, ascending; of RateCourse::Step.
    [[nodiscard]] const std::vector<std::int64_t>& milestones() const { return m_milestones; }
    /// Rate of the update that follows `step` updates.
    [[nodiscard]] double at(std::int64_t step) const;
    /// The settings whose schedule has the rate `rate` at `step`, to the last bit where a double
    /// allows it, and goes on from there. Error(BadInput) if the rate is no number of 0 or more,
    /// or if the schedule until `step` has left nothing of any rate.
    [[nodiscard]] LearningRateSettings withRateAt(std::int64_t step, double rate) const;

    /// "0.1, x 0.1 every 350 steps": one line for people.
    [[nodiscard]] std::string describe() const;

private:
    [[nodiscard]] double shareAt(std::int64_t step) const;
    /// Of the way from the end of the warm-up to the end of the run, in steps of this batch: 0
    /// to 1.
    [[nodiscard]] double wayAt(std::int64_t place) const;

    LearningRateSettings m_settings;
    RateCourse m_course;
    std::int64_t m_decaySteps;
    std::int64_t m_warmupSteps;
    std::int64_t m_steps;
    std::int64_t m_shift;                   ///< of what counts epochs
    std::int64_t m_decayShift;              ///< of RateCourse::Exponential
    std::vector<std::int64_t> m_milestones; ///< in steps, ascending
};

/// The linear scaling rule: a batch that is k times as large takes k times the learning rate. Goyal
/// et al., "Accurate, Large Minibatch SGD: Training ImageNet in 1 Hour", 2017, arXiv:1706.02677,
/// section 2.1; they warm the rate up first. Needs batch > 0.
double linearlyScaledRate(double rate, std::int64_t batch, std::int64_t newBatch);

} // namespace lockstep
