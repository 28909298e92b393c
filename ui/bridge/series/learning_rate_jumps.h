// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace lockstep::ui {

/// Finds the steps at which a learning rate changes on a sudden: a stage of a schedule, a hand on
/// the run. What changes at every step, as a warm-up or a cosine does, is no sudden change.
class LearningRateJumps
{
public:
    struct Jump
    {
        double before = 0.0;
        double after = 0.0;
    };

    /// The rate of the next step; what has happened if it jumped there.
    std::optional<Jump> append(double rate)
    {
        const double before = m_rate;
        const double change =
            rate == before ? 0.0 : std::abs(rate - before) / std::max(std::abs(before), kLeastRate);
        const double usual = *std::max_element(m_changes.begin(), m_changes.end());
        const bool isJump =
            m_count > kCalmSteps && change > kLeastChange && change > kTimes * usual;
        m_rate = rate;
        if (m_count > 0) {
            m_changes[m_count % kCalmSteps] = isJump ? 0.0 : change; // the calm goes on behind it
        }
        ++m_count;
        return isJump ? std::optional(Jump{before, rate}) : std::nullopt;
    }

private:
    static constexpr std::size_t kCalmSteps = 10;
    static constexpr double kLeastChange = 0.01;
    static constexpr double kTimes = 10.0; ///< a jump is so many times the changes before it
    static constexpr double kLeastRate = 1e-12;

    std::array<double, kCalmSteps> m_changes{}; // of the latest steps, relative
    double m_rate = 0.0;
    std::size_t m_count = 0;
};

} // namespace lockstep::ui
