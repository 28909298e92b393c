// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/rough_duration.h"

#include <array>
#include <cmath>

namespace lockstep {
namespace {

constexpr double kMinute = 60.0;
constexpr double kHour = 60.0 * kMinute;
constexpr double kDay = 24.0 * kHour;
constexpr double kMonth = 30.4 * kDay;

struct Range
{
    double end; ///< seconds that are told otherwise
    RoughDuration::Unit unit;
    double unitSeconds;
    int stepUnits; ///< what is rounded to
};

constexpr std::array kRanges{
    Range{95.0, RoughDuration::Unit::Seconds, 1.0, 10},
    Range{12.5 * kMinute, RoughDuration::Unit::Minutes, kMinute, 1},
    Range{97.5 * kMinute, RoughDuration::Unit::Minutes, kMinute, 5},
    Range{36.0 * kHour, RoughDuration::Unit::Hours, kHour, 1},
    Range{13.5 * kDay, RoughDuration::Unit::Days, kDay, 1},
    Range{60.0 * kDay, RoughDuration::Unit::Weeks, 7.0 * kDay, 1},
    Range{23.5 * kMonth, RoughDuration::Unit::Months, kMonth, 1}};

} // namespace

RoughDuration roughDuration(double seconds)
{
    if (seconds < 5.0) {
        return {};
    }
    for (const Range& range : kRanges) {
        if (seconds < range.end) {
            const double steps = std::round(seconds / range.unitSeconds / range.stepUnits);
            return {range.unit, static_cast<int>(steps) * range.stepUnits};
        }
    }
    return {RoughDuration::Unit::Years, 0};
}

} // namespace lockstep
