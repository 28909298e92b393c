// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <chrono>

namespace lockstep::ui {

/// How long what shows a run rests between two repaints, so that they stay a small share of the
/// processors, which the towers may need, and still come at least twice a second.
class RepaintPace
{
public:
    explicit RepaintPace(int processors) : m_processors(std::max(1, processors)) {}

    /// After a repaint that took so long.
    void note(std::chrono::nanoseconds cost)
    {
        // One slow one, as after a resize, does not count much.
        m_cost = m_cost.count() == 0 ? cost : (3 * m_cost + cost) / 4;
    }

    [[nodiscard]] std::chrono::milliseconds interval() const
    {
        using namespace std::chrono;
        const auto wanted = duration<double>(m_cost) / (kShare * m_processors);
        // Each is a multiple of the shorter ones, so that they fall on the same moments.
        const auto longer = std::ranges::find_if(
            kIntervals, [&](milliseconds interval) { return interval >= wanted; });
        return longer == kIntervals.end() ? kIntervals.back() : *longer;
    }

private:
    /// Of each processor. The whole window may take five times that, but towers that wait for each
    /// other are all held up where one of them is.
    static constexpr double kShare = 0.004;
    static constexpr std::array<std::chrono::milliseconds, 4> kIntervals{
        std::chrono::milliseconds(60), std::chrono::milliseconds(120),
        std::chrono::milliseconds(240), std::chrono::milliseconds(480)};

    int m_processors;
    std::chrono::nanoseconds m_cost{0};
};

} // namespace lockstep::ui
