// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "metrics/step_record.h"
#include "session/bench/bench.h"
#include "session/bench/bench_profile.h"
#include "session/training/training_session.h"

#include <functional>
#include <vector>

namespace lockstep {

/// A stretch of a benchmark: how many seconds of steps are wanted, what share of the progress they
/// are, and since when it runs.
struct BenchSpan
{
    double seconds = 5.0;
    const BenchProgress& progress; ///< may be empty
    double begin = 0.0;
    double end = 1.0;
    Stopwatch watch = {};
};

/// Whether the steps run on GPUs, ahead of the caller and by their own clock.
bool isAccelerated(const TrainingSession& session);

/// A few steps that don't count, then the clock of the session starts anew.
void warmUp(TrainingSession& session, const BenchSpan& span);

/// Makes at least `span.seconds` of steps, or as many as fit into about three times that, but at
/// least one, and hands each to `onStep`. Error(Cancelled) as soon as the progress says so.
void makeSteps(
    TrainingSession& session, const BenchSpan& span,
    const std::function<void(const StepRecord&)>& onStep);

/// The same with every layer and objective timed, on a host device.
std::vector<ProfiledStep> makeProfiledSteps(TrainingSession& session, const BenchSpan& span);

} // namespace lockstep
