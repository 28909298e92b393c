// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/barrier_clock.h"
#include "metrics/verdicts/verdict.h"

#include <array>
#include <cstddef>
#include <string>

namespace lockstep {

/// "tower 1 makes everyone wait 39 % of the time: 61 ms a step, most of it in its backward pass"
std::string stragglerText(const BarrierSummary& summary, int tower);

/// Who is waited for, and what it costs, over the latest 100 steps. A tower is named if it comes
/// last in clearly more steps than chance makes it (clearStraggler()), five standard deviations,
/// and makes everyone wait `towerShare` of the time; it is named until that is less than half as
/// much. On processors, which other programs take away now and then, and from towers that wait for
/// their turn most, it has to cost something in most steps besides, and a fifth of the time, unless
/// a person has set another `towerShare` than the usual one; below that the light stays green and
/// the sentence says who it is. Else waiting for data is told of, from `inputShare` of the time of
/// 100 steps on, until it is below half of that. Waiting for a turn on a shared processor is no
/// waiting; recorded ranks, which may have a machine each, take no turns. Not thread-safe.
class PaceVerdict
{
public:
    PaceVerdict(double towerShare, double inputShare, std::size_t towers, bool isRecorded);

    void take(const StepRecord& step);

    [[nodiscard]] const Verdict& verdict() const noexcept { return m_verdict; }

private:
    static constexpr std::size_t kInputSteps = 100;
    struct InputTime
    {
        double waiting = 0.0;
        double step = 0.0;
    };

    [[nodiscard]] double inputShare() const;
    [[nodiscard]] std::optional<int> slowTower(const BarrierSummary& summary) const;
    [[nodiscard]] Verdict find(std::int64_t updates) const;

    double m_towerShare;
    double m_inputShare;
    std::size_t m_towers;
    bool m_isRecorded;
    BarrierClock m_clock;
    std::array<InputTime, kInputSteps> m_inputTimes{};
    std::size_t m_steps = 0;
    bool m_isOnProcessors = false;
    Verdict m_verdict;
};

} // namespace lockstep
