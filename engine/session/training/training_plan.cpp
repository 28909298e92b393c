// SPDX-License-Identifier: Apache-2.0
#include "session/training/training_plan.h"

#include "base/crc32.h"
#include "base/error.h"
#include "dataset/files/sha256.h"
#include "metrics/step_record.h"
#include "network/models/model_settings.h"
#include "network/objective_limit.h"
#include "ranks/rank_table.h"
#include "session/config/run_data.h"
#include "session/config/training_phases.h"
#include "update/moving_average.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace lockstep {
namespace {

RankShare shareOf(const RunConfig& config, Ranks* ranks)
{
    if (ranks == nullptr) {
        return {};
    }
    if (config.towers < ranks->size()) {
        fail(
            ErrorCode::BadInput, "towers is {}, but there are {} ranks: each trains one at least",
            config.towers, ranks->size());
    }
    const auto places = placeTowers(config.towers, ranks->size());
    return {ranks, places[static_cast<std::size_t>(ranks->rank())]};
}

/// Ranks on one machine share its GPUs, unless the launcher shows each of them others.
GpuShare gpuShareOf(Ranks& ranks)
{
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const std::string own =
        fmt::format("{} {}", ranks.hostOf(ranks.rank()), visible == nullptr ? "all" : visible);
    const auto all = gatheredTexts(ranks, own);
    return {
        static_cast<int>(std::count(all.begin(), all.begin() + ranks.rank(), own)),
        static_cast<int>(std::ranges::count(all, own))};
}

DeviceChoice openDeviceFor(const RunConfig& config, const RankShare& share)
{
    DeviceChoice choice = openDevices(
        config.device, share.of(config.towers).count,
        share.ranks == nullptr ? GpuShare() : gpuShareOf(*share.ranks));
    const Precision precision = precisionByName(config.precision);
    const DeviceInfo& info = choice.first().info();
    if (std::ranges::find(info.precisions, precision) == info.precisions.end()) {
        const auto reason = info.lacks.find(precision);
        fail(
            ErrorCode::BadInput, "precision {} is not supported on {} ({}){}; use float32",
            config.precision, info.name, info.description,
            reason == info.lacks.end() ? "" : ": " + reason->second);
    }
    return choice;
}

/// Of some examples' pixels, evenly spaced: all would be too many to read.
std::string sampleChecksum(const Dataset& dataset)
{
    constexpr std::int64_t kExamples = 64;
    std::vector<std::uint32_t> checksums;
    for (std::int64_t i = 0; i < kExamples; ++i) {
        const ExampleView example = dataset.example(i * dataset.size() / kExamples);
        checksums.push_back(checksum(std::as_bytes(example.pixels)));
    }
    return checksumText(std::as_bytes(std::span(checksums)));
}

RunConfig checked(RunConfig config, const Dataset& trained)
{
    config.validate();
    config.takeEpochs(epochExamples(config, trained));
    config.takeUsualPhases();
    takeClasses(config, trained);
    return config;
}

/// What the store, the checkpoints and the screen have room for.
void checkObjectives(const NetworkSpec& network)
{
    static_assert(kMostObjectives == ObjectiveLosses::kMost);
    if (network.objectives.size() > kMostObjectives) {
        fail(
            ErrorCode::BadInput, "model '{}' has {} objectives, but at most {} are possible",
            network.name, network.objectives.size(), kMostObjectives);
    }
}

} // namespace

TrainingPlan::TrainingPlan(const RunConfig& run, const Dataset& trained, Ranks* ranks)
    : config(checked(run, trained)), training(trained), data(identityOf(trained)),
      epochExamples(lockstep::epochExamples(config, trained)),
      optimizer(config.optimizer.settings()),
      network(withWeightDecay(makeNetwork(config.model), config.optimizer)),
      share(shareOf(config, ranks)), devices(openDeviceFor(config, share)),
      schedule(plannedSchedule())
{
    if (share.ranks != nullptr) {
        meetRanks();
    }
    checkDataset(config, network, trained);
    checkObjectives(network);
    planPhases();
    if (isModelFile(config.model.name)) {
        modelChecksum = sha256OfFile(config.model.name, [](std::int64_t) {});
    }
}

/// Names of devices that differ are no difference: each rank on a machine may have GPUs of its own.
void TrainingPlan::meetRanks() const
{
    const DeviceInfo& device = devices.first().info();
    std::string own = fmt::format(
        "devices = {} x {}\n", devices.devices.size(),
        device.name.substr(0, device.name.find(':')));
    for (const auto& [key, value] : notesOf(data)) {
        own += fmt::format("{} = {}\n", key, value);
    }
    own += fmt::format("data_sample = {}\n", sampleChecksum(training));
    checkAlike(*share.ranks, own);
}

LearningRateSchedule TrainingPlan::plannedSchedule() const
{
    const TowerShape towers = config.towerShape();
    return {config.learningRate,  epochExamples, towers.towers,
            towers.batchPerTower, config.steps,  scheduleShift};
}

/// Every phase is looked at before the first one begins.
void TrainingPlan::planPhases()
{
    phases = phasePlan(config.trainedPhases());
    std::vector<std::vector<bool>> trained;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        try {
            const NetworkSpec ofPhase = networkOf(network, phases[i]);
            checkTrainedTogether(ofPhase);
            trained.push_back(ofPhase.trainedParameters());
        } catch (const Error& error) {
            fail(error.code(), "phase.{}: {}", i, error.what());
        }
    }
    countUpdates(trained);
}

/// Of parameters that were trained for different numbers of steps the least counts: the means of
/// the others are corrected once more, and their steps are smaller for a while.
void TrainingPlan::countUpdates(const std::vector<std::vector<bool>>& trained)
{
    m_updatesBefore.clear();
    std::vector<std::int64_t> updates(network.parameters.size());
    for (std::size_t i = 0; i < phases.size(); ++i) {
        std::int64_t least = phases[i].firstStep;
        for (std::size_t k = 0; k < updates.size(); ++k) {
            if (trained[i][k]) {
                least = std::min(least, updates[k]);
                updates[k] += phases[i].endStep - phases[i].firstStep;
            }
        }
        m_updatesBefore.push_back(least);
    }
}

double TrainingPlan::learningRateAt(std::int64_t step) const
{
    return learningRateOf(phases, schedule, step);
}

UpdateSchedule TrainingPlan::updates() const
{
    return [optimizer = optimizer, phases = phases, before = m_updatesBefore, schedule = schedule,
            averageDecay = config.movingAverageDecay,
            hasMomentRamp = config.momentRamp](std::int64_t step) {
        const std::size_t phase = phaseAt(phases, step);
        UpdateSettings update = updateAt(
            optimizer, learningRateOf(phases, schedule, step),
            movingAverageDecay(averageDecay, step), before[phase] + step - phases[phase].firstStep);
        update.momentDecay = hasMomentRamp ? movingAverageDecay(1.0, step) : 1.0;
        return update;
    };
}

StepperSettings TrainingPlan::stepperSettings(const NetworkSpec& trained) const
{
    StepperSettings settings;
    for (const auto& device : devices.devices) {
        settings.devices.push_back(device.get());
    }
    settings.network = &trained;
    settings.dataset = &training;
    settings.shape = config.towerShape();
    settings.share = share;
    settings.precision = precisionByName(config.precision);
    settings.missingGradient = missingGradientByName(config.missingGradient);
    settings.moments = momentMergeByName(config.moments);
    settings.optimizer = optimizer;
    settings.input = pipelineFor(config, network);
    if (share.ranks != nullptr) {
        settings.input.firstRow = share.towers.first * settings.shape.batchPerTower;
        settings.input.rowCount = share.towers.count * settings.shape.batchPerTower;
    }
    settings.input.threads = config.loaderThreads(devices.first());
    settings.schedule = updates();
    settings.algorithms = config.layerAlgorithms();
    settings.experiment = config.experiment;
    settings.isCaptured = config.isCaptured;
    settings.features = stepFeaturesWithout(config.gpuWithout);
    settings.gradientsEverySteps = config.gradientsEverySteps;
    return settings;
}

void TrainingPlan::setLearningRate(std::int64_t step, double rate)
{
    changeRate(config, step, rate);
    schedule = plannedSchedule();
    planPhases();
}

void TrainingPlan::changeRate(RunConfig& run, std::int64_t step, double rate) const
{
    const auto learningRate = schedule.withRateAt(step, rate); // checks the rate, too
    if (phases[phaseAt(phases, step)].learningRate) {
        run.phases = withRateFrom(run.trainedPhases(), step, rate);
    } else {
        run.learningRate = learningRate;
    }
}

bool TrainingPlan::goOnFrom(std::int64_t step, std::int64_t examplesSeen)
{
    const auto batch = static_cast<double>(config.towerShape().globalBatch());
    const std::int64_t before = std::exchange(
        scheduleShift, std::llround(static_cast<double>(examplesSeen) / batch) - step);
    schedule = plannedSchedule();
    return scheduleShift != before;
}

void TrainingPlan::setSteps(std::int64_t steps)
{
    config.setSteps(steps);
    schedule = plannedSchedule(); // some courses end with the run
    planPhases();
}

} // namespace lockstep
