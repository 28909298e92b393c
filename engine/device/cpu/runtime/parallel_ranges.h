// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/fork_join.h"

#include <algorithm>
#include <cstdint>

namespace lockstep::cpu {

/// Values to a share of a thread's work on single values: pages of their own.
constexpr std::int64_t kShareValues = 4096;

/// Share number `share` of what forRanges() shares out.
template<class Body>
LOCKSTEP_FORKED void runShare(Body& body, std::int64_t count, int share, int shares)
{
    ForkJoin::begin();
    body(count * share / shares, count * (share + 1) / shares);
    ForkJoin::end();
}

/// Calls body(first, end) for contiguous shares of 0 .. count - 1, one on each of `threads`
/// threads: those of OpenMP, which oneDNN works with, too, so that both keep the same processors
/// busy. The body must not throw.
template<class Body>
LOCKSTEP_FORKS void forRanges(int threads, std::int64_t count, Body body)
{
    const auto shares = static_cast<int>(std::min<std::int64_t>(threads, count));
    if (shares <= 1) {
        body(std::int64_t{0}, count);
        return;
    }
    ForkJoin::fork();
#pragma omp parallel for num_threads(shares) schedule(static, 1)
    for (int share = 0; share < shares; ++share) {
        runShare(body, count, share, shares);
    }
    ForkJoin::joined();
}

} // namespace lockstep::cpu
