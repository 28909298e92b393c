// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace lockstep::cpu {

/// Calls body(first, end) for contiguous shares of 0 .. count - 1, one on each of `threads`
/// threads: those of OpenMP, which oneDNN works with, too, so that both keep the same processors
/// busy. The body must not throw.
template<class Body>
void forRanges(int threads, std::int64_t count, Body body)
{
    const auto shares = static_cast<int>(std::min<std::int64_t>(threads, count));
    if (shares <= 1) {
        body(std::int64_t{0}, count);
        return;
    }
#pragma omp parallel for num_threads(shares) schedule(static, 1)
    for (int share = 0; share < shares; ++share) {
        body(count * share / shares, count * (share + 1) / shares);
    }
}

} // namespace lockstep::cpu
