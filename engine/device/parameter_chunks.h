// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/thread_team.h"
#include "device/parameter_arena.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep {

/// Where a lane keeps the gradients of its rows, laid out like the parameters.
struct LaneGradient
{
    int tower = 0;
    const float* values = nullptr;
};

/// A piece of one parameter: the unit in which threads share the work on an arena. Sums are taken
/// chunk by chunk, so that they do not depend on the number of threads.
struct ParameterChunk
{
    int parameter = 0;
    std::int64_t offset = 0; ///< in the arena
    std::int64_t count = 0;
};

/// Values of a chunk for a processor: 64 KiB of float32; a few of these arrays fit a second-level
/// cache together.
constexpr std::int64_t kHostChunk = 16384;

/// Cuts the chosen parameters into chunks of at most `most` values, in the order of the arena.
std::vector<ParameterChunk> chunkParameters(
    const ParameterLayout& layout, const std::vector<bool>& chosen, std::int64_t most = kHostChunk);

/// Calls job(i) for every number in 0 .. count - 1, each thread a contiguous share.
template<class Job>
void shareOut(ThreadTeam& threads, std::size_t count, const Job& job)
{
    const auto workers = static_cast<std::size_t>(threads.size());
    threads.run([&](int worker) {
        const auto number = static_cast<std::size_t>(worker);
        for (std::size_t i = count * number / workers; i < count * (number + 1) / workers; ++i) {
            job(i);
        }
    });
}

} // namespace lockstep
