// SPDX-License-Identifier: Apache-2.0
#include "session/bench/bench_steps.h"

#include "base/error.h"

#include <algorithm>
#include <limits>

namespace lockstep {
namespace {

constexpr int kWarmUpSteps = 3;
/// An accelerator captures its step, fills its queue and raises its clocks first.
constexpr double kAcceleratorWarmUpSeconds = 0.5;
/// Where steps are so slow that not everything fits: the warm-up, and all, end after this many
/// times the seconds to be timed.
constexpr double kWarmUpLimit = 1.8;
constexpr double kLimit = 2.8;
/// Accelerators may run ahead as far as they like.
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 2;

} // namespace

bool isAccelerated(const TrainingSession& session)
{
    return !session.plan().devices.first().worksOnHost();
}

void warmUp(TrainingSession& session, const BenchSpan& span)
{
    const Stopwatch warming;
    const double seconds = isAccelerated(session) ? kAcceleratorWarmUpSeconds : 0.0;
    for (int i = 0; i < kWarmUpSteps || warming.seconds() < seconds; ++i) {
        if (i > 0 && span.watch.seconds() >= kWarmUpLimit * span.seconds) {
            break;
        }
        session.step(kNoLimit);
    }
    session.restartClock();
}

void makeSteps(
    TrainingSession& session, const BenchSpan& span,
    const std::function<void(const StepRecord&)>& onStep)
{
    const double limit = kLimit * span.seconds;
    double total = 0.0;
    do {
        const StepRecord& record = session.step(kNoLimit).record;
        onStep(record);
        total += record.stepSeconds;
        const double done = std::max(total / span.seconds, span.watch.seconds() / limit);
        if (span.progress && !span.progress(std::lerp(span.begin, span.end, std::min(1.0, done)))) {
            fail(ErrorCode::Cancelled, "the benchmark was cancelled");
        }
    } while (total < span.seconds && span.watch.seconds() < limit);
}

std::vector<ProfiledStep> makeProfiledSteps(TrainingSession& session, const BenchSpan& span)
{
    std::vector<ProfiledStep> steps;
    session.timeNodes();
    session.restartClock();
    makeSteps(session, span, [&](const StepRecord& record) {
        steps.push_back({record, session.stepper().nodeSeconds()});
        session.timeNodes();
        session.restartClock();
    });
    return steps;
}

} // namespace lockstep
