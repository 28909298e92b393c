// SPDX-License-Identifier: Apache-2.0
#include "session/bench_trial.h"

#include "base/clock.h"
#include "base/error.h"
#include "dataset/synthetic.h"
#include "network/cost.h"
#include "session/training_session.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lockstep {
namespace {

/// Few enough to be drawn in a moment, and many enough that they do not stay in the caches.
constexpr std::int64_t kHostExamples = 2000;
constexpr std::int64_t kAcceleratorExamples = 20'000;
constexpr int kWarmUpSteps = 3;
/// An accelerator captures its step, fills its queue and raises its clocks first.
constexpr double kAcceleratorWarmUpSeconds = 0.5;
/// Where steps are so slow that not everything fits: the warm-up, and all, end after this many
/// times the seconds to be timed.
constexpr double kWarmUpLimit = 1.8;
constexpr double kLimit = 2.8;
/// Accelerators may run ahead as far as they like.
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max() / 2;

struct Timings
{
    std::vector<double> seconds; ///< of every timed step, sorted
    double total = 0.0;
    double waiting = 0.0; ///< part of total
};

bool isAccelerated(const TrainingSession& session)
{
    return dynamic_cast<const Accelerator*>(&session.device()) != nullptr;
}

void warmUp(TrainingSession& session, const Stopwatch& watch, double limit)
{
    const Stopwatch warming;
    const double seconds = isAccelerated(session) ? kAcceleratorWarmUpSeconds : 0.0;
    for (int i = 0; i < kWarmUpSteps || warming.seconds() < seconds; ++i) {
        if (i > 0 && watch.seconds() >= limit) {
            break;
        }
        session.step(kNoLimit);
    }
    session.restartClock();
}

Timings timeSteps(TrainingSession& session, const Stopwatch& watch, const BenchTrial& trial)
{
    const double wanted = trial.settings.seconds;
    const double limit = kLimit * wanted;
    Timings timings;
    do {
        const StepRecord record = session.step(kNoLimit);
        timings.seconds.push_back(record.stepSeconds);
        timings.total += record.stepSeconds;
        timings.waiting += record.inputSeconds;
        const double done = std::max(timings.total / wanted, watch.seconds() / limit);
        if (trial.progress && !trial.progress(std::min(1.0, done))) {
            fail(ErrorCode::Cancelled, "the benchmark was cancelled");
        }
    } while (timings.total < wanted && watch.seconds() < limit);
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

/// Of the device with the most towers.
std::optional<double> floorOf(const BenchTrial& trial, const TrainingSession& session)
{
    const TowerShape& shape = session.shape();
    const auto devices = static_cast<std::int64_t>(session.devices().devices.size());
    const std::int64_t towers = (shape.towers + devices - 1) / devices;
    const StepWork work{towers * shape.batchPerTower, precisionByName(trial.config.precision)};
    const DeviceCeilings ceilings =
        trial.settings.ceilings.value_or(knownCeilings(session.device().info()));
    return floorSeconds(session.network(), work, ceilings);
}

BenchResult summarize(
    const BenchTrial& trial, const TrainingSession& session, const Timings& timings)
{
    constexpr double kMilliseconds = 1e3;
    constexpr double kGiga = 1e9;
    const TowerShape& shape = session.shape();
    const double median = percentile(timings.seconds, 0.5);
    const double mean = timings.total / static_cast<double>(timings.seconds.size());
    const auto flop = static_cast<double>(totalCost(session.network()).trainingFlop());
    BenchResult result;
    result.model = session.network().name;
    result.examplesPerSecond =
        static_cast<double>(shape.globalBatch()) / (isAccelerated(session) ? mean : median);
    result.millisecondsPerStep = kMilliseconds * median;
    result.millisecondsMinimum = kMilliseconds * timings.seconds.front();
    result.milliseconds95 = kMilliseconds * percentile(timings.seconds, 0.95);
    result.steps = static_cast<std::int64_t>(timings.seconds.size());
    result.towers = shape.towers;
    result.threadsPerTower = shape.threadsPerTower;
    result.batchPerTower = shape.batchPerTower;
    result.precision = trial.config.precision;
    result.device = session.device().info().name;
    result.algorithms = session.algorithms();
    result.gigaflopsPerSecond = flop * result.examplesPerSecond / kGiga;
    result.inputShare = timings.waiting / timings.total;
    if (const auto floor = floorOf(trial, session)) {
        result.floorMilliseconds = kMilliseconds * *floor;
    }
    return result;
}

/// Apart from the timing, because being observed slows the steps, though hardly the kernels.
void traceSteps(TrainingSession& session, BenchResult& result)
{
    constexpr int kTracedSteps = 20;
    const auto* accelerator = dynamic_cast<const Accelerator*>(&session.device());
    if (accelerator == nullptr) {
        fail(
            ErrorCode::BadInput, "the kernels of device '{}' can't be observed; leave --trace out",
            session.device().info().name);
    }
    while (session.stepsAhead() > 0) {
        session.step();
    }
    const KernelTrace trace = accelerator->trace([&] {
        for (int i = 0; i < kTracedSteps; ++i) {
            session.step();
        }
    });
    const double stepSeconds =
        static_cast<double>(session.shape().globalBatch()) / result.examplesPerSecond;
    result.outsideKernelsShare = 1.0 - trace.busySeconds / kTracedSteps / stepSeconds;
    result.kernels = trace.kernels;
    for (KernelTime& kernel : result.kernels) {
        kernel.seconds /= kTracedSteps;
        kernel.runs /= kTracedSteps;
    }
}

} // namespace

BenchResult runTrial(const BenchTrial& trial)
{
    const Stopwatch watch;
    TrainingSession session(trial.config, trial.examples);
    // Planning on an accelerator tries algorithms, which is no part of the time.
    const Stopwatch sincePlanned;
    const Stopwatch& clock = isAccelerated(session) ? sincePlanned : watch;
    warmUp(session, clock, kWarmUpLimit * trial.settings.seconds);
    BenchResult result = summarize(trial, session, timeSteps(session, clock, trial));
    if (trial.settings.isTraced) {
        traceSteps(session, result);
    }
    return result;
}

std::unique_ptr<Dataset> openBenchExamples(const RunConfig& config)
{
    const bool isHost = describeDevice(config.device).name == "cpu";
    return openSynthetic(Split::Train, config.seed, isHost ? kHostExamples : kAcceleratorExamples);
}

} // namespace lockstep
