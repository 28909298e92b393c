// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/parallel_loading.h"

#include "base/error.h"
#include "base/thread_team.h"

#include <algorithm>
#include <atomic>

namespace lockstep {
namespace {

/// Beyond this a disk or the memory is what takes the time.
constexpr int kMostThreads = 8;

} // namespace

void loadInParallel(
    const std::string& what, std::size_t count, const std::function<void(std::size_t)>& load,
    const LoadProgress& progress)
{
    std::atomic<std::size_t> next{0};
    std::atomic<bool> isOver{false};
    const auto tell = [&](double done) {
        if (progress && !progress(done)) {
            fail(ErrorCode::Cancelled, "{}: the loading was cancelled", what);
        }
    };
    const auto work = [&](int thread) {
        for (std::size_t number = next++; number < count && !isOver; number = next++) {
            load(number);
            if (thread == 0) { // speaks for all
                tell(static_cast<double>(number) / static_cast<double>(count));
            }
        }
    };
    tell(0.0);
    ThreadTeam team("data", std::min(ThreadTeam::processors(), kMostThreads), false);
    team.run([&](int thread) {
        try {
            work(thread);
        } catch (...) {
            isOver = true;
            throw;
        }
    });
}

} // namespace lockstep
