// SPDX-License-Identifier: Apache-2.0
#include "storage/rows/nanoseconds.h"

#include <cmath>

namespace lockstep {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;
constexpr double kMostSeconds = 9e9; // 285 years; more does not fit 64 bits

} // namespace

std::optional<std::int64_t> nanoseconds(double seconds)
{
    if (!(seconds >= 0.0 && seconds < kMostSeconds)) {
        return std::nullopt;
    }
    return std::llround(seconds * kNanosecondsPerSecond);
}

double secondsOf(std::optional<std::int64_t> nanoseconds)
{
    // Divided, not multiplied by 1e-9: so 0.1 s comes back as the double nearest to 0.1.
    return nanoseconds && *nanoseconds >= 0
               ? static_cast<double>(*nanoseconds) / kNanosecondsPerSecond
               : -1.0;
}

} // namespace lockstep
