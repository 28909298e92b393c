// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
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
        return std::clamp(duration_cast<milliseconds>(wanted), kShortest, kLongest);
    }

private:
    /// Of each processor: the charts' part of the 20 ms a second that the whole window may take.
    static constexpr double kShare = 0.012;
    static constexpr std::chrono::milliseconds kShortest{40};
    static constexpr std::chrono::milliseconds kLongest{480};

    int m_processors;
    std::chrono::nanoseconds m_cost{0};
};

} // namespace lockstep::ui
