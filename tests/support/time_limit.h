// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace lockstep::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true; // ten times slower, and larger
#else
inline constexpr bool kIsSanitized = false;
#endif

/// Whether a work took ten times the seconds that are promised, which is a wrong algorithm: a busy
/// machine does not explain it. How fast something is, the benchmarks say.
constexpr bool isFarTooSlow(double seconds, double promised)
{
    return !kIsSanitized && seconds > 10.0 * promised;
}

} // namespace lockstep::test
