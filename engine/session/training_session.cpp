// SPDX-License-Identifier: Apache-2.0
#include "session/training_session.h"

#include "base/error.h"
#include "metrics/loss_statistics.h"
#include "metrics/throughput.h"
#include "network/model_file.h"
#include "network/models/catalog.h"
#include "session/training_state.h"
#include "update/moving_average.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace lockstep {
namespace {

/// Every tower runs the same network: all have the same gradients, those of the trained parameters.
std::vector<TowerContribution> contributions(const NetworkSpec& network, const TowerShape& shape)
{
    const auto trained = network.trainedParameters();
    TowerContribution tower{shape.batchPerTower, {}};
    for (std::size_t i = 0; i < trained.size(); ++i) {
        const auto form = trained[i] ? GradientForm::Dense : GradientForm::Absent;
        tower.gradients.push_back({form, network.parameters[i].shape});
    }
    return {static_cast<std::size_t>(shape.towers), tower};
}

DeviceChoice openDeviceFor(const RunConfig& config)
{
    DeviceChoice choice = openDevice(config.device);
    const Precision precision = precisionByName(config.precision);
    const DeviceInfo& info = choice.device->info();
    if (std::ranges::find(info.precisions, precision) == info.precisions.end()) {
        fail(
            ErrorCode::BadInput, "precision {} is not to be had on {} ({}); use float32",
            config.precision, info.name, info.description);
    }
    return choice;
}

void checkDataset(const NetworkSpec& network, const Dataset& dataset)
{
    const DatasetInfo& info = dataset.info();
    const Shape& image = info.imageShape;
    const Shape& input = network.inputShape();
    if (image.channels != input.channels || image.height < input.height
        || image.width < input.width) {
        fail(
            ErrorCode::BadInput, "model '{}' needs images of at least {}, data set '{}' has {}",
            network.name, toString(input), info.name, toString(image));
    }
    if (static_cast<std::int64_t>(info.classNames.size()) > network.classes) {
        fail(
            ErrorCode::BadInput, "model '{}' tells {} classes apart, data set '{}' has {}",
            network.name, network.classes, info.name, info.classNames.size());
    }
}

RunConfig checked(RunConfig config)
{
    config.validate();
    return config;
}

} // namespace

NetworkSpec openModel(const std::string& nameOrFile)
{
    return nameOrFile.ends_with(".toml") ? readModelFile(nameOrFile) : networkByName(nameOrFile);
}

DistortionSettings distortionFor(const RunConfig& config, const NetworkSpec& network)
{
    DistortionSettings settings = config.distortion;
    settings.cropHeight = network.inputShape().height;
    settings.cropWidth = network.inputShape().width;
    return settings;
}

TrainingSession::TrainingSession(const RunConfig& config, const Dataset& training)
    : m_config(checked(config)), m_training(training), m_network(openModel(config.model)),
      m_device(openDeviceFor(config)), m_arena(*m_device.device, m_network),
      m_team(
          *m_device.device, m_network, m_arena.layout(), config.towerShape(),
          precisionByName(config.precision)),
      m_allReduce(
          *m_device.device, m_arena.layout(),
          planAveraging(
              m_network, contributions(m_network, config.towerShape()),
              missingGradientByName(config.missingGradient)),
          m_team.gradients()),
      m_optimizer(*m_device.device, m_network, m_arena, m_allReduce.chunks()),
      m_schedule(config.learningRate, training.size(), config.towers, m_team.shape().batchPerTower)
{
    checkDataset(m_network, training);
    m_arena.initialize(m_network, config.seed);
    m_optimizer.refreshWeightDecayLoss(m_team.threads());
    startPipeline();
}

void TrainingSession::startPipeline()
{
    PipelineSettings settings;
    settings.globalBatch = m_team.shape().globalBatch();
    settings.threads = m_config.loaderThreads();
    settings.prefetchBatches = m_config.inputPrefetchBatches;
    settings.seed = m_config.seed;
    settings.startPosition = m_examplesSeen;
    settings.startStep = m_step;
    settings.distortion = distortionFor(m_config, m_network);
    m_pipeline.reset();
    m_pipeline = std::make_unique<InputPipeline>(m_training, settings);
    m_stepClock.restart();
}

StepRecord TrainingSession::step()
{
    const BatchLease input = m_pipeline->next();
    // Split: every lane takes its rows of the global batch. Forward, backward: all towers at once.
    const auto& towers = m_team.forwardBackward(*input.batch, m_arena.weights());
    const int badParameter = m_allReduce.run(m_team.threads(), m_arena.gradient());
    checkFinite(towers, badParameter);
    const double weightDecayLoss = m_optimizer.weightDecayLoss();
    update();
    return record(towers, weightDecayLoss, input);
}

void TrainingSession::checkFinite(const std::vector<TowerResult>& towers, int badParameter) const
{
    constexpr const char* kKept = "the update was not applied";
    for (std::size_t i = 0; i < towers.size(); ++i) {
        const double loss = towers[i].lossSum / static_cast<double>(towers[i].examples)
                            + m_optimizer.weightDecayLoss();
        if (!std::isfinite(loss)) {
            fail(
                ErrorCode::Numeric, "step {}, tower {}: the loss is {}; {}", m_step, i,
                std::isnan(loss) ? "not a number" : "infinite", kKept);
        }
    }
    if (badParameter >= 0) {
        const auto number = static_cast<std::size_t>(badParameter);
        const ParameterLayout& layout = m_arena.layout();
        const int tower = m_team.firstTowerNotFinite(layout.offsets[number], layout.counts[number]);
        // Finite gradients can have a sum that is not.
        const std::string whose =
            tower >= 0 ? fmt::format("tower {}: the gradient", tower) : "the averaged gradient";
        fail(
            ErrorCode::Numeric, "step {}, {} of '{}' is not finite; {}", m_step, whose,
            m_network.parameters[number].name, kKept);
    }
}

void TrainingSession::update()
{
    m_optimizer.apply(
        m_team.threads(), m_schedule.at(m_step),
        movingAverageDecay(m_config.movingAverageDecay, m_step));
}

StepRecord TrainingSession::record(
    const std::vector<TowerResult>& towers, double weightDecayLoss, const BatchLease& input)
{
    StepRecord record;
    for (const TowerResult& tower : towers) {
        record.towers.push_back(
            {tower.lossSum / static_cast<double>(tower.examples) + weightDecayLoss,
             tower.busySeconds, tower.correct, tower.examples});
    }
    const LossStatistics statistics = lossStatistics(record.towers);
    const std::int64_t globalBatch = m_team.shape().globalBatch();
    record.step = m_step;
    record.learningRate = m_schedule.at(m_step);
    m_step += 1;
    m_examplesSeen += globalBatch;
    record.examples = m_examplesSeen;
    record.epoch = static_cast<double>(m_examplesSeen) / static_cast<double>(m_training.size());
    record.lossMean = statistics.mean;
    record.lossLast = statistics.last;
    record.inputSeconds = input.waitSeconds;
    record.queueFilled = input.queueFilled;
    record.stepSeconds = m_stepClock.restart();
    m_wallSeconds += record.stepSeconds;
    record.wallSeconds = m_wallSeconds;
    record.examplesPerSecond = examplesPerSecond(globalBatch, record.stepSeconds);
    record.secondsPerBatch = secondsPerBatch(record.stepSeconds, m_team.shape().towers);
    return record;
}

Checkpoint TrainingSession::capture() const
{
    Checkpoint checkpoint;
    checkpoint.step = m_step;
    checkpoint.examplesSeen = m_examplesSeen;
    checkpoint.configuration = toToml(m_config);
    checkpoint.seed = m_config.seed;
    checkpoint.towers = m_team.shape().towers;
    checkpoint.threadsPerTower = m_team.shape().threadsPerTower;
    checkpoint.notes = {
        {"device", device().info().name + ": " + device().info().description},
        {"library", device().info().library},
        {"wall_seconds", fmt::format("{}", m_wallSeconds)}};
    captureParameters(m_network, m_arena, checkpoint);
    return checkpoint;
}

void TrainingSession::restore(const Checkpoint& checkpoint)
{
    restoreParameters(m_network, checkpoint, m_arena);
    m_step = checkpoint.step;
    m_examplesSeen = checkpoint.examplesSeen;
    const auto wall = checkpoint.notes.find("wall_seconds");
    m_wallSeconds =
        wall == checkpoint.notes.end() ? 0.0 : std::strtod(wall->second.c_str(), nullptr);
    m_optimizer.refreshWeightDecayLoss(m_team.threads());
    startPipeline();
}

std::vector<std::string> TrainingSession::describe() const
{
    const TowerShape& shape = m_team.shape();
    const DeviceInfo& info = device().info();
    const ThreadTeam& threads = m_team.threads();
    return {
        fmt::format(
            "model {} ({} parameters), data set {} ({} training examples)", m_network.name,
            m_network.parameterElements(), m_training.info().name, m_training.size()),
        fmt::format(
            "{} towers x {} examples = global batch {}; {:.1f} steps an epoch", shape.towers,
            shape.batchPerTower, shape.globalBatch(),
            static_cast<double>(m_training.size()) / static_cast<double>(shape.globalBatch())),
        fmt::format(
            "device {}: {}, {}; {} threads a tower, {} at work{}", info.name, info.description,
            info.library, shape.threadsPerTower, threads.size(),
            static_cast<std::size_t>(threads.size()) < m_team.lanes().size()
                ? ": more towers than processors, they take turns"
                : ""),
        fmt::format(
            "learning rate {}, x {} every {} steps; memory of the towers {} MiB",
            m_config.learningRate.initial, m_config.learningRate.decayFactor,
            m_schedule.decaySteps(), m_team.bytes() >> 20U),
    };
}

} // namespace lockstep
