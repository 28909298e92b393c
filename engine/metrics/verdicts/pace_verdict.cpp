// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/pace_verdict.h"

#include "metrics/alert_settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

constexpr std::size_t kWindowSteps = 100;
constexpr std::size_t kLeastTimedSteps = 30;
constexpr std::size_t kBetweenFirstLooks = 10;
constexpr std::size_t kBetweenLooks = 50; ///< each goes over the whole window
constexpr double kDeviations = 5.0;       ///< as it is looked at many times
constexpr double kOverCost = 0.5;
constexpr double kMostSteps = 0.7;
/// On processors that others use as well: a tenth was measured with nothing wrong, of the later
/// turn and of the tower that shares its processor with the rest of the machine.
constexpr double kLeastShareOnProcessors = 0.2;
constexpr double kMostOfIt = 0.5;
constexpr double kWorthSaying = 0.01;

std::string percent(double share)
{
    return fmt::format("{:.0f} %", 100.0 * share);
}

std::string milliseconds(double seconds)
{
    const double value = 1e3 * seconds;
    return value < 0.1    ? fmt::format("{:.3f} ms", value)
           : value < 10.0 ? fmt::format("{:.1f} ms", value)
                          : fmt::format("{:.0f} ms", value);
}

} // namespace

std::string stragglerText(const BarrierSummary& summary, int tower)
{
    const TowerBarrierShare& share = summary.towers[static_cast<std::size_t>(tower)];
    const double whole =
        std::accumulate(share.excessSeconds.begin(), share.excessSeconds.end(), 0.0);
    const double most = share.excessSeconds[static_cast<std::size_t>(share.phase())];
    const std::string cost = percent(share.costShare);
    const std::string time = milliseconds(share.costSeconds);
    if (most <= 0.0 || most < kMostOfIt * whole) {
        return fmt::format(
            "tower {} makes everyone wait {} of the time: {} a step", tower, cost, time);
    }
    switch (share.phase()) {
    case WorkPhase::Copy:
        return fmt::format(
            "tower {} makes everyone wait {} of the time: {} a step, most of it for its data",
            tower, cost, time);
    case WorkPhase::Forward:
        return fmt::format(
            "tower {} makes everyone wait {} of the time: {} a step, most of it in its forward "
            "pass",
            tower, cost, time);
    case WorkPhase::Backward:
        break;
    }
    return fmt::format(
        "tower {} makes everyone wait {} of the time: {} a step, most of it in its backward pass",
        tower, cost, time);
}

PaceVerdict::PaceVerdict(double towerShare, double inputShare, std::size_t towers, bool isRecorded)
    : m_towerShare(towerShare), m_inputShare(inputShare), m_towers(towers),
      m_isRecorded(isRecorded), m_clock(kWindowSteps)
{
    m_verdict.text = "too early to tell who is waited for";
}

double PaceVerdict::inputShare() const
{
    InputTime sum;
    for (const InputTime& time : m_inputTimes) {
        sum.waiting += time.waiting;
        sum.step += time.step;
    }
    return sum.step > 0.0 ? sum.waiting / sum.step : 0.0;
}

void PaceVerdict::take(const StepRecord& step)
{
    m_inputTimes[m_steps % kInputSteps] = {step.inputSeconds, step.stepSeconds};
    ++m_steps;
    if (step.towers.size() == m_towers) {
        m_clock.add(step);
        m_isOnProcessors = std::ranges::any_of(
            step.towers, [](const TowerRecord& tower) { return tower.device < 0; });
    }
    if (m_steps < kLeastTimedSteps
        || m_steps % (m_steps < kWindowSteps ? kBetweenFirstLooks : kBetweenLooks) != 0) {
        return;
    }
    Verdict now = find(step.step + 1);
    if (isSameFinding(now, m_verdict)) {
        now.since = m_verdict.since;
    }
    m_verdict = std::move(now);
}

std::optional<int> PaceVerdict::slowTower(const BarrierSummary& summary) const
{
    if (summary.steps < static_cast<std::int64_t>(kLeastTimedSteps)) {
        return std::nullopt;
    }
    const auto shareOf = [&](int tower) -> const TowerBarrierShare& {
        return summary.towers[static_cast<std::size_t>(tower)];
    };
    const bool isFifth = m_isOnProcessors && m_towerShare == AlertSettings().towerWait;
    const double towerShare = isFifth ? kLeastShareOnProcessors : m_towerShare;
    std::optional<int> slow = clearStraggler(summary, towerShare, kDeviations);
    if (slow && m_isOnProcessors
        && static_cast<double>(shareOf(*slow).stepsCostly)
               < kMostSteps * static_cast<double>(summary.steps)) {
        slow.reset();
    }
    const int told = m_verdict.alert == AlertKind::SlowTower ? m_verdict.tower : -1;
    if (told < 0 || static_cast<std::size_t>(told) >= summary.towers.size()) {
        return slow;
    }
    // Of two that are slow alike the first one stays the one that is told.
    const double least =
        kOverCost * (slow ? std::max(towerShare, shareOf(*slow).costShare) : towerShare);
    return shareOf(told).costShare >= least ? std::optional(told) : slow;
}

Verdict PaceVerdict::find(std::int64_t updates) const
{
    const BarrierSummary summary = m_clock.summary();
    const std::optional<int> slow = slowTower(summary);
    if (slow) {
        return {Light::Doubtful, AlertKind::SlowTower,          *slow,
                updates,         stragglerText(summary, *slow), "the barrier clock"};
    }
    const double input = inputShare();
    const bool wasBound = m_verdict.alert == AlertKind::InputBound;
    if (m_steps >= kInputSteps && input > (wasBound ? kOverCost : 1.0) * m_inputShare) {
        return {
            Light::Doubtful, AlertKind::InputBound, -1, updates,
            fmt::format(
                "the towers wait for data {} of the time: give the input more threads "
                "(input.threads), a faster disk or fewer distortions",
                percent(input))};
    }
    if (m_towers < 2) {
        return {Light::Good, {}, -1, updates, "a single tower waits for nobody"};
    }
    if (summary.steps == 0) {
        return {
            Light::Unknown,
            {},
            -1,
            updates,
            "the devices do not tell when a tower arrives at the barrier"};
    }
    const double worthNaming = std::min(m_towerShare, AlertSettings().towerWait);
    if (const auto often = clearStraggler(summary, worthNaming, kDeviations);
        often && summary.steps >= static_cast<std::int64_t>(kLeastTimedSteps)) {
        const double share = summary.towers[static_cast<std::size_t>(*often)].costShare;
        return {
            Light::Good,
            {},
            -1, // green names nobody
            updates,
            fmt::format(
                "tower {} often comes last and costs {} of the time; other programs may be why",
                *often, percent(share))};
    }
    double cost = 0.0;
    for (const TowerBarrierShare& tower : summary.towers) {
        cost += tower.costShare;
    }
    const std::string text =
        !m_isRecorded && turnShare(summary)
            ? "no tower makes the others wait; they take turns on shared processors"
        : cost >= kWorthSaying ? fmt::format(
              "no tower is slow; by chance they wait for each other {} of the time", percent(cost))
                               : "no tower makes the others wait";
    return {Light::Good, {}, -1, updates, text};
}

} // namespace lockstep
