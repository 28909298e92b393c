// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/learning_verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

constexpr std::size_t kFirstSteps = 10;
constexpr std::size_t kFewestSteps = 20;
constexpr std::size_t kBetweenVerdicts = 10;
/// So many steps after the first epoch it is told within 100.
constexpr std::size_t kAfterEpoch = 90;
constexpr double kChanceErrors = 3.5;
constexpr double kBelowChance = 0.98; ///< of ln(classes)
constexpr double kRisen = 1.5;
constexpr double kFallen = 0.97;
constexpr double kEnough = 0.95; ///< an accuracy that has little room
constexpr double kRemainder = 0.01;

/// A course that lowers the rate a little with every step must not keep the trend from ever being
/// whole.
bool isOtherRate(double rate, double known)
{
    constexpr double kFactor = 1.5;
    return rate > kFactor * known || kFactor * rate < known;
}

} // namespace

LearningVerdict::LearningVerdict(std::int64_t plateauSteps, int classes)
    : m_classes(classes), m_plateau(plateauSteps), m_fall(kWindowSteps)
{
    m_verdict.text = "too early to tell whether the network learns";
}

void LearningVerdict::take(const StepRecord& step)
{
    const ObjectiveLosses parts = meanObjectives(step);
    m_isSum = parts.size() > 1;
    const double loss =
        m_isSum ? std::accumulate(parts.begin(), parts.end(), 0.0) : crossEntropy(step);
    if (!std::isfinite(loss)) {
        if (std::isfinite(step.lossMean)) { // see crossEntropy()
            tell(
                {Light::Bad, AlertKind::NotLearning, -1, step.step + 1,
                 fmt::format(
                     "not learning: the weights have grown without bounds, weight decay alone is "
                     "{:.3g}; the learning rate is too high",
                     step.weightDecayLoss)});
        }
        return;
    }
    Batch& batch = m_batches[m_steps % kWindowSteps] = {loss, 0.0, 0.0};
    if (const auto accuracy = trainAccuracy(step)) {
        for (const TowerRecord& tower : step.towers) {
            batch.examples += static_cast<double>(tower.examples);
        }
        batch.correct = *accuracy * batch.examples;
    }
    if (m_steps < kFirstSteps) {
        m_firstLoss += loss / kFirstSteps;
    }
    ++m_steps;
    m_stepsAfterEpoch += step.epoch >= 1.0 ? 1 : 0;
    followTrend(step, loss);
    if (m_steps < kFewestSteps || m_steps % kBetweenVerdicts != 0) {
        return;
    }
    tell(find(step));
}

void LearningVerdict::tell(Verdict now)
{
    if (isSameFinding(now, m_verdict)) {
        now.since = m_verdict.since;
    }
    m_verdict = std::move(now);
}

void LearningVerdict::followTrend(const StepRecord& step, double loss)
{
    m_fall.add(loss);
    m_highestRate = std::max(m_highestRate, step.learningRate);
    if (isOtherRate(step.learningRate, m_learningRate)) {
        m_learningRate = step.learningRate;
        m_plateau.restart();
        m_isPlateau = false;
    }
    if (step.learningRate > 0.0 && m_plateau.add(loss)) {
        m_isPlateau =
            m_plateau.tValue() > (m_isPlateau ? LossTrend::kSurelyFalls : LossTrend::kFalls);
    }
}

LearningVerdict::Figures LearningVerdict::figures() const
{
    const std::size_t steps = std::min(m_steps, kWindowSteps);
    Batch sum;
    bool isKnown = true;
    for (std::size_t i = 0; i < steps; ++i) {
        sum.loss += m_batches[i].loss;
        sum.correct += m_batches[i].correct;
        sum.examples += m_batches[i].examples;
        isKnown = isKnown && m_batches[i].examples > 0.0;
    }
    Figures figures;
    figures.loss = sum.loss / static_cast<double>(steps);
    if (isKnown) {
        figures.accuracy = sum.correct / sum.examples;
        if (m_classes > 1) {
            const double chance = 1.0 / m_classes;
            const double error = std::sqrt(chance * (1.0 - chance) / sum.examples);
            figures.isAboveChance = *figures.accuracy > chance + kChanceErrors * error;
            figures.isAtChance = !figures.isAboveChance;
        }
    }
    return figures;
}

Verdict LearningVerdict::find(const StepRecord& step) const
{
    const Figures now = figures();
    const std::int64_t updates = step.step + 1;
    const bool isWhole = m_steps >= kWindowSteps;
    const bool hasRisen = isWhole && now.loss > kRisen * m_firstLoss && !now.isAboveChance;
    if (hasRisen && (now.isAtChance || !now.accuracy)) {
        return {
            Light::Bad, AlertKind::NotLearning, -1, updates,
            m_isSum ? fmt::format(
                "not learning: the sum of the losses has risen from {:.3g} to {:.3g}; "
                "the learning rate is too high",
                m_firstLoss, now.loss)
                    : fmt::format(
                        "not learning: the cross-entropy has risen from {:.3g} to {:.3g}; the "
                        "learning rate is too high",
                        m_firstLoss, now.loss)};
    }
    const double uniform = m_classes > 1 ? std::log(m_classes) : 0.0;
    if (isWhole && m_stepsAfterEpoch >= kAfterEpoch && now.isAtChance
        && now.loss > kBelowChance * uniform && m_fall.tValue() > LossTrend::kSurelyFalls) {
        return {
            Light::Bad, AlertKind::NotLearning, -1, updates,
            fmt::format(
                "not learning: {:.1f} % is chance after {:.3g} epochs; the learning rate may "
                "be too high",
                100.0 * *now.accuracy, step.epoch)};
    }
    if (m_isPlateau) {
        const std::int64_t steps = m_plateau.windowSteps();
        const bool isDone =
            now.accuracy.value_or(0.0) >= kEnough || step.learningRate < kRemainder * m_highestRate;
        if (isDone) {
            return {
                Light::Good,
                {},
                -1,
                updates,
                fmt::format("as far as it comes: no fall for {} steps", steps)};
        }
        const double loss = m_plateau.meanLoss();
        return {
            Light::Doubtful, AlertKind::Plateau, -1, updates,
            m_isSum ? fmt::format(
                "the sum of the losses has not fallen for {} steps ({:.4g}, change "
                "{:+.2g} ± {:.1g}): lower the learning rate, or stop here",
                steps, loss, m_plateau.change(), m_plateau.changeError())
                    : fmt::format(
                        "the loss has not fallen for {} steps ({:.4g}, change {:+.2g} "
                        "± {:.1g}): lower the learning rate, or stop here",
                        steps, loss, m_plateau.change(), m_plateau.changeError())};
    }
    if (now.isAboveChance) {
        return {
            Light::Good,
            {},
            -1,
            updates,
            fmt::format(
                "{:.0f} % of the training batches right ({:.2g} % is chance), cross-entropy "
                "{:.3g}",
                100.0 * *now.accuracy, 100.0 / m_classes, now.loss)};
    }
    // That a network which does no better than chance has a lower loss than at its first steps says
    // nothing, unless it is below that of guessing.
    const bool isGuessing =
        now.isAtChance && (m_verdict.light == Light::Bad || now.loss > kBelowChance * uniform);
    if (now.loss < kFallen * m_firstLoss && !isGuessing) {
        return {
            Light::Good,
            {},
            -1,
            updates,
            m_isSum ? fmt::format(
                "the sum of the losses falls: from {:.3g} to {:.3g}", m_firstLoss, now.loss)
                    : fmt::format("the loss falls: from {:.3g} to {:.3g}", m_firstLoss, now.loss)};
    }
    // What was red is so until there is something better.
    return m_verdict.light == Light::Bad
               ? m_verdict
               : Verdict{
                   Light::Unknown, {}, -1, updates, "too early to tell whether the network learns"};
}

} // namespace lockstep
