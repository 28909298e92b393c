// SPDX-License-Identifier: Apache-2.0
#include "metrics/step_alerts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep {
namespace {

constexpr double kOver = 0.5; ///< of the limit that began it
constexpr std::size_t kBetweenInputChecks = 10;
constexpr double kSlowerThanMedian = 20.0;
constexpr double kPatienceAtFirst = 10.0;

std::string percent(double share)
{
    return fmt::format("{:.0f} %", 100.0 * share);
}

/// A course that lowers the rate a little with every step must not keep the trend from ever being
/// whole.
bool isOtherRate(double rate, double known)
{
    constexpr double kFactor = 1.5;
    return rate > kFactor * known || kFactor * rate < known;
}

} // namespace

StepAlerts::StepAlerts(const AlertSettings& settings, std::size_t towers, Tell tell)
    : m_settings(settings),
      m_tell(std::move(tell)), m_loss{AlertKind::TowerLoss, settings.towerLoss, {}},
      m_pace{AlertKind::SlowTower, settings.towerWait, {}}, m_values(towers)
{
    if (settings.plateauSteps > 0) {
        m_trend.emplace(settings.plateauSteps);
    }
    for (TowerWatch* const watch : {&m_loss, &m_pace}) {
        if (towers > 1 && watch->share > 0.0) {
            watch->comparison.emplace(towers, kTowerSteps);
        }
    }
}

void StepAlerts::take(const StepRecord& step)
{
    m_stepsMade = step.step + 1;
    if (m_trend) {
        checkTrend(step);
    }
    if (m_settings.inputShare > 0.0) {
        checkInput(step);
    }
    checkTowers(step);
}

void StepAlerts::tell(
    AlertKind kind, bool isOver, const std::string& text, const AlertFigures& figures,
    int tower) const
{
    m_tell({kind, isOver, m_stepsMade, tower, text, figures});
}

void StepAlerts::checkTrend(const StepRecord& step)
{
    if (isOtherRate(step.learningRate, m_learningRate)) {
        m_learningRate = step.learningRate;
        m_trend->restart();
        if (std::exchange(m_isPlateau, false)) {
            tell(
                AlertKind::Plateau, true, "the learning rate has changed: the loss is given time",
                {.isOtherRate = true});
        }
    }
    if (step.learningRate <= 0.0 || !std::isfinite(step.lossMean) || !m_trend->add(step.lossMean)) {
        return;
    }
    const AlertFigures figures{.steps = m_trend->windowSteps(), .loss = m_trend->meanLoss()};
    if (!m_isPlateau && m_trend->tValue() > LossTrend::kFalls) {
        m_isPlateau = true;
        tell(
            AlertKind::Plateau, false,
            fmt::format(
                "the loss has not fallen for {} steps ({:.4g}, change {:+.2g} ± {:.1g}): lower "
                "the learning rate, or stop here",
                m_trend->windowSteps(), m_trend->meanLoss(), m_trend->change(),
                m_trend->changeError()),
            figures);
    } else if (m_isPlateau && m_trend->tValue() < LossTrend::kSurelyFalls) {
        m_isPlateau = false;
        tell(
            AlertKind::Plateau, true,
            fmt::format(
                "the loss falls again: {:+.2g} ± {:.1g} over {} steps", m_trend->change(),
                m_trend->changeError(), m_trend->windowSteps()),
            figures);
    }
}

void StepAlerts::checkInput(const StepRecord& step)
{
    m_inputTimes[m_inputCount % kInputSteps] = {step.inputSeconds, step.stepSeconds};
    ++m_inputCount;
    if (m_inputCount < kInputSteps || m_inputCount % kBetweenInputChecks != 0) {
        return;
    }
    InputTime sum;
    for (const InputTime& time : m_inputTimes) {
        sum.waiting += time.waiting;
        sum.step += time.step;
    }
    const double share = sum.step > 0.0 ? sum.waiting / sum.step : 0.0;
    const AlertFigures figures{.steps = kInputSteps, .share = share};
    if (!m_isInputBound && share > m_settings.inputShare) {
        m_isInputBound = true;
        tell(
            AlertKind::InputBound, false,
            fmt::format(
                "the towers wait for data {} of the time (last {} steps): give the input more "
                "threads (input.threads), a faster disk or fewer distortions",
                percent(share), kInputSteps),
            figures);
    } else if (m_isInputBound && share < kOver * m_settings.inputShare) {
        m_isInputBound = false;
        tell(
            AlertKind::InputBound, true,
            fmt::format("the data come in time again: {} waiting", percent(share)), figures);
    }
}

void StepAlerts::checkTowers(const StepRecord& step)
{
    if (step.towers.size() != m_values.size()) {
        return;
    }
    if (m_loss.comparison) {
        std::ranges::transform(step.towers, m_values.begin(), &TowerRecord::loss);
        if (m_loss.comparison->add(m_values)) {
            conclude(m_loss, 0.0);
        }
    }
    if (m_pace.comparison) {
        std::ranges::transform(step.towers, m_values.begin(), [](const TowerRecord& tower) {
            return workSeconds(tower).value_or(0.0); // where none is told, none stands out
        });
        m_stepSeconds += step.stepSeconds;
        if (m_pace.comparison->add(m_values)) {
            const auto steps = static_cast<double>(kTowerSteps);
            conclude(m_pace, std::exchange(m_stepSeconds, 0.0) / steps);
        }
    }
}

/// How far a tower is from the others. A fast tower costs nobody anything, and of two neither is
/// the odd one: then it is less than 0.
double StepAlerts::distance(const TowerWatch& watch, std::size_t tower)
{
    const double mean = watch.comparison->deviation(tower).mean;
    const bool isOnlyAbove = watch.kind == AlertKind::SlowTower || watch.comparison->towers() == 2;
    return isOnlyAbove ? mean : std::abs(mean);
}

/// Losses that differ, of which nobody can say which is wrong.
bool StepAlerts::isOfTwoLosses(const TowerWatch& watch)
{
    return watch.kind == AlertKind::TowerLoss && watch.comparison->towers() == 2;
}

/// The tower that is farthest from the others and beyond both limits; -1: none is.
int StepAlerts::outstanding(const TowerWatch& watch, double reference)
{
    const TowerComparison& towers = *watch.comparison;
    int farthest = -1;
    double most = 0.0;
    for (std::size_t i = 0; i < towers.towers(); ++i) {
        const TowerDeviation& deviation = towers.deviation(i);
        const double size = distance(watch, i);
        const double limit = watch.share * (reference > 0.0 ? reference : deviation.others);
        if (size > kStandardErrors * deviation.standardError && size > limit && size > most) {
            farthest = static_cast<int>(i);
            most = size;
        }
    }
    return farthest;
}

/// The tower that was told of is so no more: it is less than half as far as the limit, or as the
/// tower that now stands out. Of two that stand out alike the first one stays the one that is told.
bool StepAlerts::isOver(const TowerWatch& watch, double reference, int found)
{
    const auto told = static_cast<std::size_t>(watch.told);
    const double others = watch.comparison->deviation(told).others;
    const double limit = watch.share * (reference > 0.0 ? reference : others);
    const double size = distance(watch, told);
    return size < kOver * limit
           || (found >= 0 && size < kOver * distance(watch, static_cast<std::size_t>(found)));
}

/// `reference`: what the share is of; 0: the others' figure.
void StepAlerts::conclude(TowerWatch& watch, double reference)
{
    const int found = outstanding(watch, reference);
    if (watch.told >= 0 && isOver(watch, reference, found)) {
        const int over = std::exchange(watch.told, -1);
        if (isOfTwoLosses(watch)) {
            tell(watch.kind, true, "the losses of the two towers agree again", {});
        } else {
            const char* const again = watch.kind == AlertKind::TowerLoss
                                          ? "its loss is that of the others again"
                                          : "it keeps pace with the others again";
            tell(watch.kind, true, fmt::format("tower {}: {}", over, again), {}, over);
        }
    }
    if (watch.told < 0 && found >= 0) {
        watch.told = found;
        tellOutstanding(watch, reference);
    }
}

void StepAlerts::tellOutstanding(const TowerWatch& watch, double reference) const
{
    const TowerDeviation& deviation =
        watch.comparison->deviation(static_cast<std::size_t>(watch.told));
    const double share = deviation.mean / (reference > 0.0 ? reference : deviation.others);
    const AlertFigures figures{.steps = kTowerSteps, .share = share};
    if (isOfTwoLosses(watch)) {
        tell(
            watch.kind, false,
            fmt::format(
                "the losses of the two towers differ by {} (last {} steps): look at the data of "
                "both (with two, neither can be called the odd one)",
                percent(share), kTowerSteps),
            figures);
        return;
    }
    const std::string text =
        watch.kind == AlertKind::TowerLoss
            ? fmt::format(
                "tower {}: its loss is {} {} the others (last {} steps): look at its data",
                watch.told, percent(std::abs(share)),
                share > 0.0 ? "above that of" : "below that of", kTowerSteps)
            : fmt::format(
                "tower {}: it works {} of a step longer than the others do on average (last {} "
                "steps): look at its device, and who else uses it",
                watch.told, percent(share), kTowerSteps);
    tell(watch.kind, false, text, figures, watch.told);
}

double stuckLimit(double seconds, std::span<double> lastSteps)
{
    if (lastSteps.empty()) {
        return kPatienceAtFirst * seconds;
    }
    const auto middle = lastSteps.begin() + static_cast<std::ptrdiff_t>(lastSteps.size() / 2);
    std::ranges::nth_element(lastSteps, middle);
    return std::max(seconds, kSlowerThanMedian * *middle);
}

} // namespace lockstep
