// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace lockstep {

/// Brings the clocks of several devices together by the sums that they make together anyway. The
/// device that comes last to a sum sees how long the sum itself takes, m. No device ends before the
/// last one's part was there, and all end within m of it: the difference of two clocks is that of
/// the ends of a sum on the two, give or take m. Over a window of sums a straight line is fitted to
/// the differences, the drift, and what all of them allow along it is intersected: half of what is
/// left is the uncertainty. Not thread-safe.
class DeviceClocks
{
public:
    /// When a sum began and ended on a device, in nanoseconds of its own clock.
    struct Sum
    {
        std::int64_t begin = 0; ///< the device's own part was there
        std::int64_t end = 0;
    };

    /// Times become those of device number `reference`.
    explicit DeviceClocks(std::size_t devices, std::size_t reference = 0);

    /// One sum, as every device saw it.
    void add(std::span<const Sum> devices);
    /// Takes what was added since into account; add() alone changes no answer.
    void update();

    /// A moment by the clock of a device, by the clock of the reference. Its own before the first
    /// sum.
    [[nodiscard]] std::int64_t toReference(std::size_t device, std::int64_t nanoseconds) const;
    /// By how much that may be wrong: of the device that is known worst. 0 before the first sum.
    [[nodiscard]] double uncertaintySeconds() const;

private:
    /// By how many nanoseconds a clock is ahead of the reference and `base`, give or take `margin`.
    struct Difference
    {
        std::int64_t time = 0; ///< by the reference
        double ahead = 0.0;
        double margin = 0.0;
    };
    struct Clock
    {
        std::int64_t base = 0;
        std::deque<Difference> window;
        // What follows from the window; at the newest of it:
        Difference now;
        double drift = 0.0;
    };

    static void fit(Clock& clock);

    std::size_t m_reference;
    std::vector<Clock> m_clocks; ///< that of the reference stays empty
};

} // namespace lockstep
