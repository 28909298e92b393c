// SPDX-License-Identifier: Apache-2.0
#include "session/bench/bench_trial.h"

#include "session/bench/bench_work.h"

#include "base/error.h"
#include "dataset/formats/synthetic.h"
#include "dataset/formats/synthetic_defects.h"
#include "network/cost.h"
#include "network/models/model_settings.h"
#include "session/bench/bench_ceilings.h"
#include "session/bench/bench_steps.h"
#include "session/training/training_session.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep {
namespace {

/// Few enough to be drawn in a moment, and many enough that they do not stay in the caches.
constexpr std::int64_t kHostExamples = 2000;
constexpr std::int64_t kAcceleratorExamples = 20'000;
// Large, so that few fill the caches.
constexpr std::int64_t kDefectExamples = 400; ///< with masks
constexpr std::int64_t kLargeExamples = 1000;

constexpr const char* kPlain = "synthetic";
constexpr const char* kMasked = "synthetic_defects";

struct Timings
{
    std::vector<double> seconds; ///< of every timed step, sorted
    double total = 0.0;
    double waiting = 0.0;   ///< part of total
    double inputWork = 0.0; ///< processor time of the loaders
};

Timings timeSteps(TrainingSession& session, const BenchSpan& span)
{
    Timings timings;
    const double workBefore = session.stepper().inputWorkSeconds();
    makeSteps(session, span, [&](const StepRecord& record) {
        timings.seconds.push_back(record.stepSeconds);
        timings.total += record.stepSeconds;
        timings.waiting += record.inputSeconds;
    });
    timings.inputWork = session.stepper().inputWorkSeconds() - workBefore;
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
    const BenchTrial& trial, const TrainingSession& session, const Timings& timings)
{
    const TowerShape& shape = session.stepper().shape();
    const double median = percentile(timings.seconds, 0.5);
    const double mean = timings.total / static_cast<double>(timings.seconds.size());
    const auto flop = static_cast<double>(totalCost(session.trainedNetwork()).trainingFlop());
    BenchResult result;
    result.model = session.plan().network.name;
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
    result.device = session.plan().devices.first().info().name;
    result.captureFailure = session.stepper().captureFailure();
    result.algorithms = session.plan().config.algorithms;
    result.choices = session.stepper().choices();
    result.gigaflopsPerSecond = flop * result.examplesPerSecond / kGiga;
    result.inputShare = timings.waiting / timings.total;
    result.inputWorkShare =
        timings.inputWork / timings.total / std::max(1, session.stepper().threads().size());
    return result;
}

/// Refuses what can't be observed before time is spent.
void checkObservers(const BenchSettings& settings, const TrainingSession& session)
{
    const std::string& device = session.plan().devices.first().info().name;
    if (settings.isTraced && !isAccelerated(session)) {
        fail(
            ErrorCode::BadInput,
            "device '{}' runs no kernels of its own that could be traced; --profile times its "
            "layers",
            device);
    }
    if (settings.isProfiled && isAccelerated(session)) {
        fail(
            ErrorCode::BadInput,
            "the layers of device '{}' can't be timed one by one; --trace times its kernels",
            device);
    }
}

/// Apart from the timing, because being observed slows the steps, though hardly the kernels. Not
/// replayed: CUPTI does not always see the kernels of a graph.
void traceSteps(TrainingSession& session, BenchResult& result)
{
    constexpr int kTracedSteps = 20;
    while (session.stepper().stepsAhead() > 0) {
        session.step();
    }
    session.stopReplaying();
    const Accelerator& accelerator = *session.plan().devices.first().accelerator();
    const KernelTrace trace = accelerator.trace([&] {
        for (int i = 0; i < kTracedSteps; ++i) {
            session.step();
        }
    });
    if (trace.kernels.empty()) {
        fail(
            ErrorCode::Device,
            "{}: no kernel was seen in {} steps: CUPTI and the driver may not fit each other, or "
            "another program observes the GPU",
            accelerator.info().name, kTracedSteps);
    }
    const double stepSeconds =
        static_cast<double>(session.stepper().shape().globalBatch()) / result.examplesPerSecond;
    result.outsideKernelsShare = 1.0 - trace.busySeconds / kTracedSteps / stepSeconds;
    result.kernels = trace.kernels;
    for (KernelTime& kernel : result.kernels) {
        kernel.seconds /= kTracedSteps;
        kernel.runs /= kTracedSteps;
    }
}

/// How many times the side of a generated picture those of a network's input need.
int scaleFor(const Shape& input)
{
    constexpr std::int64_t kSide = 32;
    return static_cast<int>((std::max(input.height, input.width) + kSide - 1) / kSide);
}

} // namespace

BenchResult runTrial(const BenchTrial& trial)
{
    TrainingSession session(
        trial.config, trial.examples, [&trial] { return !trial.progress || trial.progress(0.0); });
    checkObservers(trial.settings, session);
    CeilingMeter meter(trial, session);
    meter.measure();
    const BenchSpan plain{
        trial.settings.seconds, trial.progress, 0.0, trial.settings.isProfiled ? 0.5 : 1.0};
    warmUp(session, plain);
    BenchResult result = summarize(trial, session, timeSteps(session, plain));
    if (trial.settings.isTraced) {
        traceSteps(session, result);
    }
    std::vector<ProfiledStep> profiled;
    if (trial.settings.isProfiled) {
        // After the plain steps, whose time it must not touch.
        profiled = makeProfiledSteps(session, {trial.settings.seconds, trial.progress, 0.5, 1.0});
    }
    meter.measure();
    result.ceilings = meter.all();
    const StepWork work = workOf(trial, session);
    const DeviceCeilings ceilings = ceilingsFor(trial, session, meter.all());
    compare(result, session.trainedNetwork(), work, ceilings);
    if (trial.settings.isProfiled) {
        result.profile = profileOf(
            profiled, {session.trainedNetwork(), session.stepper().report(), work, ceilings});
        result.profile->oneThread = meter.one();
    }
    return result;
}

RunConfig withBenchExamples(RunConfig config)
{
    config.dataset = makeNetwork(config.model).maskShape ? kMasked : kPlain;
    config.datasetPath.clear();
    config.masked.sampling = "shuffled"; // any number of towers and examples will do
    return config;
}

std::unique_ptr<Dataset> openBenchExamples(const RunConfig& config)
{
    if (config.dataset == kMasked) {
        return openSyntheticDefects(
            Split::Train, {config.seed, kDefectExamples, config.masked.dilation});
    }
    if (const int scale = scaleFor(makeNetwork(config.model).inputShape()); scale > 1) {
        return openSynthetic(Split::Train, config.seed, kLargeExamples, scale);
    }
    const bool isHost = describeDevice(config.device).name == "cpu";
    return openSynthetic(Split::Train, config.seed, isHost ? kHostExamples : kAcceleratorExamples);
}

} // namespace lockstep
