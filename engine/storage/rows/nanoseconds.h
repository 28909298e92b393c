// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace lockstep {

/// Whole nanoseconds, as the store keeps times; none for what is negative (unknown) or no number.
std::optional<std::int64_t> nanoseconds(double seconds);

/// Back again: of a time that is not known, which is none or negative, -1.
double secondsOf(std::optional<std::int64_t> nanoseconds);

} // namespace lockstep
