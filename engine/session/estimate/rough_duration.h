// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep {

/// A duration as a person says it who does not know it exactly: 3 minutes, 2 days.
struct RoughDuration
{
    enum class Unit {
        Moment, ///< below 5 seconds: no number is worth saying
        Seconds,
        Minutes,
        Hours,
        Days,
        Weeks,
        Months,
        Years, ///< from two on: nobody counts them
    };
    Unit unit = Unit::Moment;
    int count = 0; ///< of the unit; 0 for a moment and for years

    bool operator==(const RoughDuration&) const = default;
};

/// Rounded to what an estimate is good for: 10 seconds, one or five minutes, whole units above.
/// Needs seconds >= 0; infinite ones are years.
RoughDuration roughDuration(double seconds);

} // namespace lockstep
