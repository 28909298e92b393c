// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep::train {

// What a figure is multiplied with or divided by where it is printed in another unit.

inline constexpr double kPercent = 100.0;    ///< in the whole
inline constexpr double kMilliseconds = 1e3; ///< in a second
inline constexpr double kMicroseconds = 1e6; ///< in a second
inline constexpr double kNanoseconds = 1e9;  ///< in a second
inline constexpr double kMega = 1e6;
inline constexpr double kGiga = 1e9;

} // namespace lockstep::train
