// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace lockstep::ui {

/// The mean of all values so far and how far off it may be.
///
/// Its standard error is the larger of two: sqrt(variance / count), which holds for independent
/// values, whatever the variance does; and, from 16 stretches of 32 values on, that of the means of
/// those stretches, which also counts what neighbours within a stretch have in common. Values that
/// depend on each other over much more than 32 steps are more uncertain than it says. Not
/// thread-safe.
class RunningMean
{
public:
    /// A finite value.
    void append(double value);

    [[nodiscard]] std::int64_t count() const noexcept { return m_count; }
    /// 0 without values.
    [[nodiscard]] double mean() const noexcept;
    /// Not a number before there are two values.
    [[nodiscard]] double standardError() const;

private:
    static constexpr int kStretch = 32;
    static constexpr std::int64_t kFewestStretches = 16;

    /// Sums of values and their squares.
    struct Sums
    {
        std::int64_t count = 0;
        double values = 0.0;
        double squares = 0.0;

        void add(double value);
        [[nodiscard]] double standardError() const;
    };

    std::int64_t m_count = 0;
    Sums m_single;
    Sums m_stretches;
    double m_stretch = 0.0; ///< sum of the values of the stretch that is not whole yet
};

} // namespace lockstep::ui
