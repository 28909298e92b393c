// SPDX-License-Identifier: Apache-2.0
#include "metrics/barrier_clock.h"

#include "base/clock.h"
#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace lockstep {
namespace {

/// A thread goes from one tower to the next in 1 to 25 microseconds (measured, on a busy machine).
constexpr double kBetweenTurns = 50e-6;
constexpr std::int64_t kCostly = 40; ///< parts of a step, of which one is a cost

std::int64_t toNanoseconds(double seconds)
{
    return std::llround(seconds / kNanosecond);
}

bool tellsPhases(const StepRecord& step)
{
    return step.computeSeconds >= 0.0
           && std::ranges::all_of(step.towers, [](const TowerRecord& tower) {
                  return arrivalSeconds(tower).has_value();
              });
}

/// One step whose phases are all known.
class BarrierStep
{
public:
    explicit BarrierStep(const std::vector<TowerRecord>& towers)
        : m_towers(towers), m_isWithLast(towers.size(), 0)
    {
    }

    Straggler straggler()
    {
        const std::size_t last = lastArrival();
        const bool isHost = m_towers[last].device < 0;
        const std::size_t slowest = isHost ? slowestOfQueue(last) : last;
        if (!isHost) {
            markDevice(last);
        }
        std::vector<char> isLeftOut = m_isWithLast;
        if (isHost) { // others of its queue had the processor for themselves, too
            isLeftOut.assign(m_towers.size(), 0);
            isLeftOut[slowest] = 1;
        }
        const auto excess = [&](auto secondsOf) {
            return secondsOf(m_towers[slowest]) - medianWithout(isLeftOut, secondsOf);
        };
        const double lead = arrival(last) - lastArrivalOutside();
        return {
            static_cast<int>(slowest),
            std::max(
                0.0, std::min(excess([](const auto& tower) { return *workSeconds(tower); }), lead)),
            {excess(std::mem_fn(&TowerRecord::copySeconds)),
             excess(std::mem_fn(&TowerRecord::forwardSeconds)),
             excess(std::mem_fn(&TowerRecord::backwardSeconds))}};
    }

private:
    [[nodiscard]] double work(std::size_t tower) const { return *workSeconds(m_towers[tower]); }
    [[nodiscard]] double arrival(std::size_t tower) const
    {
        return *arrivalSeconds(m_towers[tower]);
    }

    [[nodiscard]] std::size_t lastArrival() const
    {
        const auto last = std::ranges::max_element(
            m_towers, {}, [](const TowerRecord& tower) { return *arrivalSeconds(tower); });
        return static_cast<std::size_t>(last - m_towers.begin());
    }

    /// Back from the end of the queue; marks its towers.
    std::size_t slowestOfQueue(std::size_t last)
    {
        std::size_t slowest = last;
        for (std::optional<std::size_t> tower = last; tower; tower = before(*tower)) {
            m_isWithLast[*tower] = 1;
            if (work(*tower) > work(slowest)) {
                slowest = *tower;
            }
        }
        return slowest;
    }

    /// The towers of its accelerator; if all are on one, only itself.
    void markDevice(std::size_t last)
    {
        const auto isHere = [&](const TowerRecord& tower) {
            return tower.device == m_towers[last].device;
        };
        if (std::ranges::all_of(m_towers, isHere)) {
            m_isWithLast[last] = 1;
        } else {
            std::ranges::transform(m_towers, m_isWithLast.begin(), isHere);
        }
    }

    /// The tower whose thread went on with this one: it arrived when this one began.
    [[nodiscard]] std::optional<std::size_t> before(std::size_t tower) const
    {
        std::optional<std::size_t> nearest;
        double least = kBetweenTurns;
        for (std::size_t other = 0; other < m_towers.size(); ++other) {
            const double gap = std::abs(m_towers[tower].startSeconds - arrival(other));
            const bool isEarlier = m_towers[other].startSeconds < m_towers[tower].startSeconds;
            if (isEarlier && gap < least) {
                nearest = other;
                least = gap;
            }
        }
        return nearest;
    }

    [[nodiscard]] double medianWithout(const std::vector<char>& isLeftOut, auto secondsOf) const
    {
        std::vector<double> all;
        all.reserve(m_towers.size());
        for (std::size_t tower = 0; tower < m_towers.size(); ++tower) {
            if (isLeftOut[tower] == 0) {
                all.push_back(secondsOf(m_towers[tower]));
            }
        }
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
        std::ranges::nth_element(all, middle);
        return all.size() % 2 == 1 ? *middle
                                   : 0.5 * (*middle + *std::max_element(all.begin(), middle));
    }

    /// 0 if there is none.
    [[nodiscard]] double lastArrivalOutside() const
    {
        double last = 0.0;
        for (std::size_t tower = 0; tower < m_towers.size(); ++tower) {
            if (m_isWithLast[tower] == 0) {
                last = std::max(last, arrival(tower));
            }
        }
        return last;
    }

    const std::vector<TowerRecord>& m_towers;
    std::vector<char> m_isWithLast; ///< in its queue, or on its accelerator
};

WorkPhase longest(const std::array<double, kWorkPhases>& excess)
{
    return static_cast<WorkPhase>(std::ranges::max_element(excess) - excess.begin());
}

double spreadSeconds(const StepRecord& step)
{
    const auto arrival = [](const TowerRecord& tower) { return *arrivalSeconds(tower); };
    const auto [first, last] = std::ranges::minmax_element(step.towers, {}, arrival);
    return arrival(*last) - arrival(*first);
}

} // namespace

WorkPhase Straggler::phase() const
{
    return longest(excessSeconds);
}

WorkPhase TowerBarrierShare::phase() const
{
    return longest(excessSeconds);
}

std::optional<Straggler> stragglerOf(const StepRecord& step)
{
    if (step.towers.size() < 2 || !tellsPhases(step)) {
        return std::nullopt;
    }
    return BarrierStep(step.towers).straggler();
}

std::optional<double> turnShare(const BarrierSummary& summary)
{
    constexpr double kTurns = 0.1;
    double turn = 0.0;
    for (const TowerBarrierShare& tower : summary.towers) {
        turn = std::max(turn, tower.turnSeconds);
    }
    return turn > 0.0 && turn >= kTurns * summary.stepSeconds
               ? std::optional(turn / summary.stepSeconds)
               : std::nullopt;
}

std::optional<int> clearStraggler(
    const BarrierSummary& summary, double leastShare, double deviations)
{
    const double share = 1.0 / static_cast<double>(summary.towers.size());
    const auto steps = static_cast<double>(summary.steps);
    const double byChance = steps * share + deviations * std::sqrt(steps * share * (1.0 - share));
    std::optional<int> found;
    double most = leastShare;
    for (std::size_t tower = 0; tower < summary.towers.size(); ++tower) {
        const TowerBarrierShare& of = summary.towers[tower];
        if (static_cast<double>(of.stepsLast) > byChance && of.costShare >= most) {
            found = static_cast<int>(tower);
            most = of.costShare;
        }
    }
    return found;
}

BarrierClock::BarrierClock(std::size_t windowSteps) : m_windowSteps(windowSteps)
{
    require(windowSteps > 0, "a barrier clock's window holds at least one step");
}

void BarrierClock::add(const StepRecord& step)
{
    const auto straggler = stragglerOf(step);
    if (!straggler) {
        return;
    }
    if (!m_steps.empty() && step.towers.size() != m_steps.front().waits.size()) {
        clear();
    }
    if (m_steps.size() == m_windowSteps) {
        m_steps.pop_front();
    }
    Judged& judged = m_steps.emplace_back();
    judged.tower = straggler->tower;
    judged.cost = toNanoseconds(straggler->costSeconds);
    std::ranges::transform(straggler->excessSeconds, judged.excess.begin(), toNanoseconds);
    judged.step = toNanoseconds(step.stepSeconds);
    judged.input = toNanoseconds(step.inputSeconds);
    judged.spread = toNanoseconds(spreadSeconds(step));
    for (const TowerRecord& tower : step.towers) {
        const double waiting = *waitingSeconds(step, tower);
        judged.waits.push_back(
            {toNanoseconds(waiting), tower.device < 0 ? toNanoseconds(tower.startSeconds) : 0,
             toNanoseconds(tower.backwardSeconds),
             toNanoseconds(
                 tower.backwardSeconds + waiting + std::max(0.0, step.averagingSeconds))});
    }
}

void BarrierClock::clear()
{
    m_steps.clear();
}

BarrierSummary BarrierClock::summary() const
{
    BarrierSummary summary;
    summary.steps = std::ssize(m_steps);
    if (m_steps.empty()) {
        return summary;
    }
    const auto mean = [&](auto nanosecondsOf) {
        std::int64_t sum = 0;
        for (const Judged& judged : m_steps) {
            sum += nanosecondsOf(judged);
        }
        return kNanosecond * static_cast<double>(sum) / static_cast<double>(m_steps.size());
    };
    summary.stepSeconds = mean(std::mem_fn(&Judged::step));
    summary.inputSeconds = mean(std::mem_fn(&Judged::input));
    summary.spreadSeconds = mean(std::mem_fn(&Judged::spread));
    for (std::size_t i = 0; i < m_steps.front().waits.size(); ++i) {
        const auto isLast = [&](const Judged& judged) { return std::cmp_equal(judged.tower, i); };
        TowerBarrierShare share;
        share.stepsLast = std::ranges::count_if(m_steps, isLast);
        share.stepsCostly = std::ranges::count_if(m_steps, [&](const Judged& judged) {
            return isLast(judged) && judged.cost * kCostly >= judged.step;
        });
        share.costSeconds =
            mean([&](const Judged& judged) { return isLast(judged) ? judged.cost : 0; });
        for (std::size_t phase = 0; phase < kWorkPhases && share.stepsLast > 0; ++phase) {
            share.excessSeconds[phase] = mean([&](const Judged& judged) {
                                             return isLast(judged) ? judged.excess[phase] : 0;
                                         })
                                         * static_cast<double>(summary.steps)
                                         / static_cast<double>(share.stepsLast);
        }
        share.costShare = summary.stepSeconds > 0.0 ? share.costSeconds / summary.stepSeconds : 0.0;
        share.waitingSeconds = mean([&](const Judged& judged) { return judged.waits[i].waiting; });
        share.turnSeconds = mean([&](const Judged& judged) { return judged.waits[i].turn; });
        share.backwardSeconds =
            mean([&](const Judged& judged) { return judged.waits[i].backward; });
        share.outsideSeconds = mean([&](const Judged& judged) { return judged.waits[i].outside; });
        summary.towers.push_back(share);
    }
    return summary;
}

} // namespace lockstep
