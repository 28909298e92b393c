// SPDX-License-Identifier: Apache-2.0
#include "session/bench/simulation_run.h"

#include "base/error.h"
#include "session/bench/bench_steps.h"
#include "session/bench/bench_trial.h"
#include "session/bench/bench_work.h"
#include "session/bench/scaling_run.h"
#include "session/training/training_session.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace lockstep {
namespace {

/// Of the steps whose seconds lie in the middle half: see meanPhases().
ProfiledStep meanStep(std::vector<ProfiledStep> steps)
{
    std::ranges::sort(steps, {}, [](const ProfiledStep& step) { return step.record.stepSeconds; });
    const auto quarter = static_cast<std::ptrdiff_t>(steps.size() / 4);
    const std::span middle(steps.begin() + quarter, steps.end() - quarter);
    const auto count = static_cast<double>(middle.size());
    ProfiledStep mean{StepRecord(), std::vector<NodeSeconds>(middle.front().nodes.size())};
    for (auto seconds :
         {&StepRecord::stepSeconds, &StepRecord::inputSeconds, &StepRecord::computeSeconds,
          &StepRecord::averagingSeconds}) {
        double sum = 0.0;
        for (const ProfiledStep& step : middle) {
            sum += step.record.*seconds;
        }
        mean.record.*seconds = sum / count;
    }
    for (const ProfiledStep& step : middle) {
        for (std::size_t i = 0; i < mean.nodes.size(); ++i) {
            mean.nodes[i].forward += step.nodes[i].forward / count;
            mean.nodes[i].backward += step.nodes[i].backward / count;
        }
    }
    return mean;
}

/// Of an accelerator, whose nodes can't be timed: the matrix work in the place of seconds.
std::vector<NodeSeconds> nodesByWork(const NetworkSpec& network)
{
    std::vector<NodeSeconds> nodes;
    for (const NodeWork& work : nodeWork(network)) {
        nodes.push_back(
            {static_cast<double>(work.forward.flop), static_cast<double>(work.backward.flop)});
    }
    return nodes;
}

ProfiledStep measureTower(TrainingSession& session, const BenchSpan& span)
{
    warmUp(session, span);
    if (!isAccelerated(session)) {
        return meanStep(makeProfiledSteps(session, span));
    }
    const std::vector<NodeSeconds> nodes = nodesByWork(session.trainedNetwork());
    std::vector<ScalingPhases> steps;
    makeSteps(session, span, [&](const StepRecord& record) { steps.push_back(phasesOf(record)); });
    const ScalingPhases mean = meanPhases(std::move(steps), true);
    ProfiledStep measured{StepRecord(), nodes};
    measured.record.stepSeconds = mean.step;
    measured.record.inputSeconds = mean.input;
    if (mean.averaging && mean.update) {
        measured.record.averagingSeconds = *mean.averaging;
        measured.record.computeSeconds = mean.step - mean.input - *mean.averaging - *mean.update;
    }
    return measured;
}

/// Passes, averaging and update of `record`; the buckets are to be filled in.
TowerStep phasesOfTower(const StepRecord& record, double passes, double backwardShare, double bytes)
{
    TowerStep step;
    step.input = record.inputSeconds;
    step.backward = passes * backwardShare;
    step.forward = passes - step.backward;
    const double averaging = std::max(0.0, record.averagingSeconds);
    step.update = std::max(0.0, record.stepSeconds - step.input - passes - averaging);
    if (averaging > 0.0) {
        step.addedBytesPerSecond = bytes / averaging;
    }
    return step;
}

} // namespace

TowerStep towerStepOf(
    const NetworkSpec& network, const std::vector<GradientBucket>& buckets,
    const ProfiledStep& measured)
{
    double forward = 0.0;
    double backward = 0.0;
    for (const NodeSeconds& node : measured.nodes) {
        forward += node.forward;
        backward += node.backward;
    }
    require(forward + backward > 0.0, "no layer of the network took any time");
    std::int64_t elements = 0;
    for (const GradientBucket& bucket : buckets) {
        elements += bucket.count;
    }
    const StepRecord& record = measured.record;
    const double passes = record.computeSeconds >= 0.0 ? record.computeSeconds
                                                       : record.stepSeconds - record.inputSeconds;
    const double scale = passes / (forward + backward);
    TowerStep step = phasesOfTower(
        record, passes, backward / (forward + backward),
        static_cast<double>(elements) * sizeof(float));
    step.forwardSyncPoints =
        static_cast<int>(std::ranges::count_if(network.layers, isSynchronised));
    const std::vector<bool> hasGradient = network.layersWithGradient();
    double ready = 0.0;
    int syncPoints = 0;
    std::size_t node = measured.nodes.size();
    for (const GradientBucket& bucket : buckets) {
        while (node > static_cast<std::size_t>(bucket.firstLayer)) {
            --node;
            ready += scale * measured.nodes[node].backward;
            const bool isLayer = node < network.layers.size();
            syncPoints += isLayer && hasGradient[node] && isSynchronised(network.layers[node]);
        }
        step.buckets.push_back(
            {static_cast<double>(bucket.count) * sizeof(float), ready, syncPoints});
    }
    return step;
}

SimulationReport runSimulation(
    const RunConfig& config, const SimulationSettings& settings, const BenchProgress& progress)
{
    SimulationReport report;
    report.cluster = settings.cluster;
    const auto towers =
        settings.towers.empty() ? doublingTowers(kMostSimulatedTowers) : settings.towers;
    checkSimulation(report.cluster, towers);
    RunConfig measured = measuredConfig(config, settings.cluster.towersPerRank);
    measured.towers = 1;
    const auto examples = openBenchExamples(measured);
    TrainingSession session(
        measured, *examples, [&progress] { return !progress || progress(0.0); });
    const NetworkSpec& network = session.trainedNetwork();
    const auto buckets = planBuckets(
        network, session.stepper().arena().layout(),
        isAccelerated(session) ? kMostDeviceBuckets : kMostHostBuckets);
    report.step =
        towerStepOf(network, buckets, measureTower(session, {settings.seconds, progress}));
    report.cluster.method = settings.method.value_or(
        isAccelerated(session) ? ExchangeMethod::Ring : ExchangeMethod::Chain);
    report.model = network.name;
    report.device = session.plan().devices.first().info().name;
    report.precision = config.precision;
    report.batchPerTower = *measured.batchPerTower;
    report.threadsPerTower = isAccelerated(session) ? 0 : session.stepper().shape().threadsPerTower;
    report.lines = simulateScaling(report.step, report.cluster, towers);
    return report;
}

} // namespace lockstep
