// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"
#include "metrics/verdicts/loss_trend.h"
#include "metrics/verdicts/verdict.h"

#include <array>
#include <cstddef>
#include <optional>

namespace lockstep {

/// Whether the network learns, by the training batches of the latest 100 steps: their accuracy
/// against that of chance, their cross-entropy against ln(classes), and whether it falls.
///
/// - Red: within 100 steps after the first epoch, an accuracy within 3.5 standard errors of chance,
///   a cross-entropy not below 0.98 ln(classes), and no clear fall. Or a loss that is half as much
///   again as at the start, at an accuracy of chance or one that is not known.
/// - Amber: the loss has not fallen over `plateauSteps` (LossTrend), though the accuracy is below
///   95 % and the learning rate no remainder of what it was. At a rate of 0 no loss is expected to
///   fall; after another rate (half or 1.5 times) the window begins anew.
/// - Green: clearly better than chance, or a loss 3 % below where it began.
///
/// The cross-entropy is that of StepRecord; with several objectives the sum of all, whichever are
/// trained just now. Not thread-safe.
class LearningVerdict
{
public:
    /// `classes`: of which one is right; 0: not known, or no such network: then nothing is said of
    /// chance.
    LearningVerdict(std::int64_t plateauSteps, int classes);

    void take(const StepRecord& step);

    [[nodiscard]] const Verdict& verdict() const noexcept { return m_verdict; }

private:
    static constexpr std::size_t kWindowSteps = 100;
    struct Batch
    {
        double loss = 0.0;
        double correct = 0.0;
        double examples = 0.0; ///< 0: it is not known how many of them were correct
    };
    /// Of the window.
    struct Figures
    {
        double loss = 0.0;
        std::optional<double> accuracy;
        bool isAboveChance = false;
        bool isAtChance = false; ///< known, and not above
    };

    void followTrend(const StepRecord& step, double loss);
    [[nodiscard]] Figures figures() const;
    void tell(Verdict now);
    [[nodiscard]] Verdict find(const StepRecord& step) const;

    int m_classes;
    LossTrend m_plateau;
    LossTrend m_fall; ///< of the window
    double m_learningRate = -1.0;
    double m_highestRate = 0.0;
    bool m_isPlateau = false;
    bool m_isSum = false; ///< of several objectives, and says so

    std::array<Batch, kWindowSteps> m_batches{};
    std::size_t m_steps = 0;
    std::size_t m_stepsAfterEpoch = 0;
    double m_firstLoss = 0.0; ///< mean of the first 10 steps
    Verdict m_verdict;
};

} // namespace lockstep
