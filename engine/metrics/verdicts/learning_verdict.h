// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"
#include "metrics/verdicts/loss_trend.h"
#include "metrics/verdicts/verdict.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace lockstep {

/// What a network comes to that looks at no image. A plain value.
struct Chance
{
    Chance() = default;
    /// Of so many classes, each as frequent as the others; fewer than two: not known.
    Chance(int classes)
        : accuracy(classes > 1 ? 1.0 / classes : 0.0),
          crossEntropy(classes > 1 ? std::log(classes) : 0.0)
    {
    }

    double accuracy = 0.0; ///< of always saying the most frequent class: its share; 0: not known
    double crossEntropy = 0.0; ///< of giving each class its share: their entropy, in nats
};

/// Whether the network learns, by the training batches of the latest 100 steps: their accuracy and
/// their cross-entropy against those of chance, and whether the loss falls.
///
/// - Red: within 100 steps after the first epoch, an accuracy not 3.5 standard errors above chance,
///   a cross-entropy not below 0.98 of that of chance, and no clear fall. Or a loss that is half as
///   much again as at the start, in the mean and in most of the steps, and does not clearly fall,
///   at an accuracy of chance; where none is known, the rise is 0.1 at least.
/// - Amber: the loss is half as much again, in the mean and in most of the steps, as its lowest
///   mean over 100 steps; a clear rise over 100 steps was seen; and it matters: the mean is higher
///   by 0.1, or the accuracy lower by 0.01.
/// - Amber: the loss has not fallen over `plateauSteps` (LossTrend), though the accuracy is below
///   95 % and the learning rate no remainder of what it was. At a rate of 0 no loss is expected to
///   fall. For both, after another rate (1.5 times higher or lower) all begins anew.
/// - Green: clearly better than chance, or a loss 3 % below where it began.
///
/// The loss is the cross-entropy of StepRecord; with several objectives the sum of all, whichever
/// are trained just now. It has risen only where that of what is trained has, too: an objective
/// that is not trained may go anywhere. Not thread-safe.
class LearningVerdict
{
public:
    /// Of a chance that is not known nothing is said.
    LearningVerdict(std::int64_t plateauSteps, const Chance& chance);

    void take(const StepRecord& step);

    [[nodiscard]] const Verdict& verdict() const noexcept { return m_verdict; }

private:
    static constexpr std::size_t kWindowSteps = 100;
    struct Batch
    {
        double loss = 0.0;
        double trained = 0.0; ///< of the objectives that are trained just now
        double correct = 0.0;
        double examples = 0.0; ///< 0: it is not known how many of them were correct
    };
    /// Of the window.
    struct Figures
    {
        double loss = 0.0;
        double trained = 0.0;
        std::optional<double> accuracy;
        bool isAboveChance = false;
        bool isAtChance = false; ///< known, and not above
    };

    void followTrend(const StepRecord& step, double loss);
    [[nodiscard]] Figures figures() const;
    void followRise(const Figures& now);
    [[nodiscard]] bool isHigher(const Figures& now, const Figures& before) const;
    void tell(Verdict now);
    [[nodiscard]] Verdict find(const StepRecord& step, const Figures& now) const;

    Chance m_chance;
    LossTrend m_plateau;
    LossTrend m_fall; ///< of the window
    double m_learningRate = -1.0;
    double m_highestRate = 0.0;
    bool m_isPlateau = false;
    std::size_t m_stepsAtRate = 0;
    std::optional<Figures> m_lowest; ///< since the rate is what it is
    bool m_hasRisen = false;         ///< from there
    bool m_isSum = false;            ///< of several objectives, and says so

    std::array<Batch, kWindowSteps> m_batches{};
    std::size_t m_steps = 0;
    std::size_t m_stepsAfterEpoch = 0;
    Figures m_first; ///< of the first 10 steps, the losses alone
    Verdict m_verdict;
};

} // namespace lockstep
