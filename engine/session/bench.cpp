// SPDX-License-Identifier: Apache-2.0
#include "session/bench.h"

#include "base/clock.h"
#include "base/error.h"
#include "dataset/synthetic.h"
#include "network/cost.h"
#include "session/training_session.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep {
namespace {

/// Few enough to be drawn in a moment, and many enough that they do not stay in the caches.
constexpr std::int64_t kExamples = 2000;
constexpr int kWarmUpSteps = 3;
constexpr double kTimedSeconds = 5.0;
/// Where steps are so slow that not everything fits: the warm-up, and all, end after this time.
constexpr double kWarmUpLimitSeconds = 9.0;
constexpr double kLimitSeconds = 14.0;

struct Timings
{
    std::vector<double> seconds; ///< of every timed step
    double total = 0.0;
    double waiting = 0.0; ///< part of total
};

void warmUp(TrainingSession& session, const Stopwatch& watch)
{
    for (int i = 0; i < kWarmUpSteps && (i == 0 || watch.seconds() < kWarmUpLimitSeconds); ++i) {
        session.step();
    }
    session.restartClock();
}

Timings timeSteps(
    TrainingSession& session, const Stopwatch& watch, const std::function<bool(double)>& progress)
{
    Timings timings;
    do {
        const StepRecord record = session.step();
        timings.seconds.push_back(record.stepSeconds);
        timings.total += record.stepSeconds;
        timings.waiting += record.inputSeconds;
        const double done =
            std::max(timings.total / kTimedSeconds, watch.seconds() / kLimitSeconds);
        if (progress && !progress(std::min(1.0, done))) {
            fail(ErrorCode::Cancelled, "the benchmark was cancelled");
        }
    } while (timings.total < kTimedSeconds && watch.seconds() < kLimitSeconds);
    std::ranges::sort(timings.seconds);
    return timings;
}

/// Value below which `share` of the sorted values lie, linear between neighbours.
double percentile(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - std::floor(place));
}

BenchResult summarize(
    const RunConfig& config, const TrainingSession& session, const Timings& timings)
{
    constexpr double kMilliseconds = 1e3;
    constexpr double kGiga = 1e9;
    const TowerShape& shape = session.team().shape();
    const double median = percentile(timings.seconds, 0.5);
    const auto batch = static_cast<double>(shape.globalBatch());
    const auto flop = static_cast<double>(totalCost(session.network()).trainingFlop());
    BenchResult result;
    result.model = session.network().name;
    result.examplesPerSecond = batch / median;
    result.millisecondsPerStep = kMilliseconds * median;
    result.millisecondsMinimum = kMilliseconds * timings.seconds.front();
    result.milliseconds95 = kMilliseconds * percentile(timings.seconds, 0.95);
    result.steps = static_cast<std::int64_t>(timings.seconds.size());
    result.towers = shape.towers;
    result.threadsPerTower = shape.threadsPerTower;
    result.batchPerTower = shape.batchPerTower;
    result.precision = config.precision;
    result.device = session.device().info().name;
    result.gigaflopsPerSecond = flop * batch / median / kGiga;
    result.inputShare = timings.waiting / timings.total;
    return result;
}

} // namespace

BenchResult runBench(const RunConfig& config, const std::function<bool(double)>& progress)
{
    const Stopwatch watch;
    config.validate();
    const auto examples = openSynthetic(Split::Train, config.seed, kExamples);
    TrainingSession session(config, *examples);
    warmUp(session, watch);
    return summarize(config, session, timeSteps(session, watch, progress));
}

} // namespace lockstep
