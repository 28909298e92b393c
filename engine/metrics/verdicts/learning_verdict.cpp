// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/learning_verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

constexpr const char* kTooFewSteps = "too early to tell whether the network learns";
constexpr std::size_t kFirstSteps = 10;
constexpr std::size_t kFewestSteps = 20;
constexpr std::size_t kBetweenVerdicts = 10;
/// So many steps after the first epoch it is told within 100.
constexpr std::size_t kAfterEpoch = 90;
constexpr double kChanceErrors = 3.5;
constexpr double kBelowChance = 0.98; ///< of its cross-entropy
constexpr double kRisen = 0.5;
constexpr double kFallen = 0.03;
constexpr double kRiseThatMatters = 0.1;
constexpr double kAccuracyThatMatters = 0.01;
constexpr double kEnough = 0.95; ///< an accuracy that has little room
constexpr double kRemainder = 0.01;

/// A course that lowers the rate a little with every step must not keep the trend from ever being
/// whole.
bool isOtherRate(double rate, double known)
{
    constexpr double kFactor = 1.5;
    return rate > kFactor * known || kFactor * rate < known;
}

/// Losses of other programs may be below 0.
bool isRise(double from, double to)
{
    return to - from > kRisen * std::abs(from);
}

} // namespace

LearningVerdict::LearningVerdict(std::int64_t plateauSteps, const Chance& chance)
    : m_chance(chance), m_plateau(plateauSteps), m_fall(kWindowSteps)
{
    m_verdict.text = kTooFewSteps;
}

void LearningVerdict::take(const StepRecord& step)
{
    const ObjectiveLosses parts = meanObjectives(step);
    m_isSum = parts.size() > 1;
    const double trained = crossEntropy(step);
    const double loss = m_isSum ? std::accumulate(parts.begin(), parts.end(), 0.0) : trained;
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
    Batch& batch = m_batches[m_steps % kWindowSteps] = Batch{
        .loss = loss,
        .trained = std::isfinite(trained) ? trained : loss, // the weights may be without bounds
    };
    if (const auto accuracy = trainAccuracy(step)) {
        for (const TowerRecord& tower : step.towers) {
            batch.examples += static_cast<double>(tower.examples);
        }
        batch.correct = *accuracy * batch.examples;
    }
    if (m_steps < kFirstSteps) {
        m_first.loss += batch.loss / kFirstSteps;
        m_first.trained += batch.trained / kFirstSteps;
    }
    ++m_steps;
    m_stepsAfterEpoch += step.epoch >= 1.0 ? 1 : 0;
    followTrend(step, loss);
    if (m_steps < kFewestSteps || m_steps % kBetweenVerdicts != 0) {
        return;
    }
    const Figures now = figures();
    followRise(now);
    tell(find(step, now));
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
        m_stepsAtRate = 0;
        m_lowest.reset();
        m_hasRisen = false;
    }
    ++m_stepsAtRate;
    if (step.learningRate > 0.0 && m_plateau.add(loss)) {
        m_isPlateau =
            m_plateau.tValue() > (m_isPlateau ? LossTrend::kSurelyFalls : LossTrend::kFalls);
    }
}

void LearningVerdict::followRise(const Figures& now)
{
    if (m_stepsAtRate < kWindowSteps) {
        return;
    }
    if (!m_lowest || now.loss < m_lowest->loss) {
        m_lowest = now;
    }
    const double rise = now.loss - m_lowest->loss;
    const bool matters = rise >= kRiseThatMatters
                         || (now.accuracy && m_lowest->accuracy
                             && *now.accuracy <= *m_lowest->accuracy - kAccuracyThatMatters);
    m_hasRisen = matters && isHigher(now, *m_lowest)
                 && (m_hasRisen || m_fall.tValue() > -LossTrend::kSurelyFalls);
}

/// Needs a whole window. A few bad batches, or good ones before, are no rise.
bool LearningVerdict::isHigher(const Figures& now, const Figures& before) const
{
    const auto batches = std::ranges::count_if(
        m_batches, [&](const Batch& batch) { return isRise(before.loss, batch.loss); });
    return 2 * batches > std::ssize(m_batches) && isRise(before.loss, now.loss)
           && isRise(before.trained, now.trained);
}

LearningVerdict::Figures LearningVerdict::figures() const
{
    const std::size_t steps = std::min(m_steps, kWindowSteps);
    Batch sum;
    bool isKnown = true;
    for (std::size_t i = 0; i < steps; ++i) {
        sum.loss += m_batches[i].loss;
        sum.trained += m_batches[i].trained;
        sum.correct += m_batches[i].correct;
        sum.examples += m_batches[i].examples;
        isKnown = isKnown && m_batches[i].examples > 0.0;
    }
    Figures figures;
    figures.loss = sum.loss / static_cast<double>(steps);
    figures.trained = sum.trained / static_cast<double>(steps);
    if (isKnown) {
        figures.accuracy = sum.correct / sum.examples;
        if (const double chance = m_chance.accuracy; chance > 0.0) {
            const double error = std::sqrt(chance * (1.0 - chance) / sum.examples);
            figures.isAboveChance = *figures.accuracy > chance + kChanceErrors * error;
            figures.isAtChance = !figures.isAboveChance;
        }
    }
    return figures;
}

Verdict LearningVerdict::find(const StepRecord& step, const Figures& now) const
{
    const std::int64_t updates = step.step + 1;
    const bool isWhole = m_steps >= kWindowSteps;
    const bool isFalling = m_fall.tValue() <= LossTrend::kSurelyFalls;
    const bool isBad =
        now.isAtChance || (!now.isAboveChance && now.loss - m_first.loss >= kRiseThatMatters);
    if (isWhole && isBad && !isFalling && isHigher(now, m_first)) {
        return {
            Light::Bad, AlertKind::NotLearning, -1, updates,
            m_isSum ? fmt::format(
                "not learning: the sum of the losses has risen from {:.3g} to {:.3g}; "
                "the learning rate is too high",
                m_first.loss, now.loss)
                    : fmt::format(
                        "not learning: the cross-entropy has risen from {:.3g} to {:.3g}; the "
                        "learning rate is too high",
                        m_first.loss, now.loss)};
    }
    const bool isGuessing = now.isAtChance && now.loss > kBelowChance * m_chance.crossEntropy;
    if (isWhole && m_stepsAfterEpoch >= kAfterEpoch && isGuessing && !isFalling) {
        return {
            Light::Bad, AlertKind::NotLearning, -1, updates,
            fmt::format(
                "not learning: {:.1f} % right after {:.3g} epochs, {:.3g} % is chance; the "
                "learning rate may be too high",
                100.0 * *now.accuracy, step.epoch, 100.0 * m_chance.accuracy)};
    }
    if (m_hasRisen) {
        return {
            Light::Doubtful, AlertKind::Plateau, -1, updates,
            m_isSum ? fmt::format(
                "the sum of the losses has risen from {:.3g} to {:.3g}; the learning rate may be "
                "too high",
                m_lowest->loss, now.loss)
                    : fmt::format(
                        "the loss has risen from {:.3g} to {:.3g}; the learning rate may be too "
                        "high",
                        m_lowest->loss, now.loss)};
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
                "{:.0f} % of the training batches right ({:.3g} % is chance), cross-entropy "
                "{:.3g}",
                100.0 * *now.accuracy, 100.0 * m_chance.accuracy, now.loss)};
    }
    // That a network which does no better than chance has a lower loss than at its first steps says
    // nothing, unless it is below that of guessing.
    const bool wasBad = m_verdict.light == Light::Bad;
    if (m_first.loss - now.loss > kFallen * std::abs(m_first.loss) && !isGuessing
        && !(wasBad && now.isAtChance)) {
        return {
            Light::Good,
            {},
            -1,
            updates,
            m_isSum ? fmt::format(
                "the sum of the losses falls: from {:.3g} to {:.3g}", m_first.loss, now.loss)
                    : fmt::format("the loss falls: from {:.3g} to {:.3g}", m_first.loss, now.loss)};
    }
    // What was red is so until there is something better.
    if (wasBad) {
        return m_verdict;
    }
    return {
        Light::Unknown,
        {},
        -1,
        updates,
        !isWhole ? kTooFewSteps
        : now.isAtChance
            ? fmt::format(
                "it can't be told whether the network learns: {:.1f} % right so far, {:.3g} % is "
                "chance",
                100.0 * *now.accuracy, 100.0 * m_chance.accuracy)
            : "it can't be told whether the network learns: no clear fall of the loss so far"};
}

} // namespace lockstep
