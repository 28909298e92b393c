// SPDX-License-Identifier: Apache-2.0
#include "session/training/training_session.h"

#include "dataset/examples/class_names.h"
#include "dataset/files/sha256.h"
#include "input/mask_labels.h"
#include "metrics/loss_statistics.h"
#include "metrics/throughput.h"
#include "session/config/run_data.h"
#include "session/config/training_phases.h"
#include "session/training/last_tower_check.h"
#include "session/training/measured_threads.h"
#include "session/training/training_state.h"
#include "update/moving_average.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace lockstep {
namespace {

DeviceChoice openDeviceFor(const RunConfig& config)
{
    DeviceChoice choice = openDevices(config.device, config.towers);
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

RunConfig checked(RunConfig config)
{
    config.validate();
    return config;
}

} // namespace

void checkDataset(const NetworkSpec& network, const Dataset& dataset)
{
    const DatasetInfo& info = dataset.info();
    const Shape& image = info.imageShape;
    const Shape& input = network.inputShape();
    if (network.maskShape && !info.hasMasks) {
        fail(
            ErrorCode::BadInput,
            "model '{}' learns from masks, which data set '{}' does not have; choose one that does",
            network.name, info.name);
    }
    const Shape cells{input.height / kPixelsPerCell, input.width / kPixelsPerCell, 1};
    if (network.maskShape && *network.maskShape != cells) {
        fail(
            ErrorCode::BadInput,
            "model '{}' learns masks of {}x{} cells, but inputs of {}x{} have labels of {}x{}: a "
            "cell stands for {} x {} pixels",
            network.name, network.maskShape->height, network.maskShape->width, input.height,
            input.width, cells.height, cells.width, kPixelsPerCell, kPixelsPerCell);
    }
    // Images with masks and photographs are resized.
    const bool isTooSmall = !info.hasMasks && !info.isEncoded
                            && (image.height < input.height || image.width < input.width);
    if (image.channels != input.channels || isTooSmall) {
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

bool isModelFile(const std::string& nameOrFile)
{
    return nameOrFile.ends_with(".toml");
}

DistortionSettings distortionFor(const RunConfig& config, const NetworkSpec& network)
{
    DistortionSettings settings = config.distortion;
    settings.cropHeight = network.inputShape().height;
    settings.cropWidth = network.inputShape().width;
    settings.masked = maskedInputOf(config);
    if (settings.masked) {
        // They are for images without masks.
        settings.crop = settings.flip = false;
        settings.brightness = settings.contrast = settings.standardize = false;
    }
    settings.photo = photoInputOf(config);
    return settings;
}

PipelineSettings pipelineFor(const RunConfig& config, const NetworkSpec& network)
{
    PipelineSettings settings;
    settings.globalBatch = config.towerShape().globalBatch();
    settings.prefetchBatches = config.inputPrefetchBatches;
    settings.seed = config.seed;
    settings.distortion = distortionFor(config, network);
    settings.order = trainingOrderOf(config);
    settings.shards = config.experiment.shardSettings(config.towers);
    return settings;
}

TrainingSession::TrainingSession(
    const RunConfig& config, const Dataset& training, const std::function<bool()>& mayGoOn)
    : m_config(checked(config)), m_training(training), m_data(identityOf(training)),
      m_epochExamples(lockstep::epochExamples(m_config, training)),
      m_optimizer(config.optimizer.settings()), m_network(makeNetwork(config.model)),
      m_devices(openDeviceFor(config)), m_schedule(scheduleOf(config.learningRate))
{
    checkDataset(m_network, training);
    planPhases();
    m_trained = networkOf(m_network, m_phases.front());
    if (isModelFile(config.model.name)) {
        m_modelChecksum = sha256OfFile(config.model.name, [](std::int64_t) {});
    }
    chooseThreads();
    StepperSettings settings = stepperSettings();
    settings.mayGoOn = mayGoOn;
    m_stepper = makeStepper(settings);
    keepAlgorithms();
    arena().initialize(m_network, config.seed);
    m_stepper->parametersChanged();
    start();
}

/// Once for a training: how a batch is split among threads decides the order of float sums.
void TrainingSession::chooseThreads()
{
    if (!m_config.threadsPerTower.isMeasured) {
        return;
    }
    // What an accelerator does not use is what a run on the processors would take unmeasured.
    m_config.threadsPerTower = {m_config.towerShape().threadsPerTower};
    if (device().worksOnHost()) {
        const auto trials = measureThreads(stepperSettings(), m_config.seed);
        m_config.threadsPerTower = {fastestThreads(trials)};
        m_measuredThreads = toString(trials);
    }
}

StepperSettings TrainingSession::stepperSettings() const
{
    StepperSettings settings;
    for (const auto& device : m_devices.devices) {
        settings.devices.push_back(device.get());
    }
    settings.network = &m_trained;
    settings.dataset = &m_training;
    settings.shape = m_config.towerShape();
    settings.precision = precisionByName(m_config.precision);
    settings.missingGradient = missingGradientByName(m_config.missingGradient);
    settings.moments = momentMergeByName(m_config.moments);
    settings.optimizer = m_optimizer;
    settings.input = pipelineFor(m_config, m_network);
    settings.input.threads = m_config.loaderThreads(device());
    settings.schedule = updateSchedule();
    settings.algorithms = parseAlgorithms(m_config.algorithms);
    settings.experiment = m_config.experiment;
    settings.isCaptured = m_config.isCaptured;
    settings.gradientsEverySteps = m_config.gradientsEverySteps;
    return settings;
}

UpdateSchedule TrainingSession::updateSchedule() const
{
    return [optimizer = m_optimizer, phases = m_phases, schedule = m_schedule,
            averageDecay = m_config.movingAverageDecay,
            hasMomentRamp = m_config.momentRamp](std::int64_t step) {
        return UpdateSettings{
            rateOf(optimizer, learningRateOf(phases, schedule, step), step),
            movingAverageDecay(averageDecay, step),
            hasMomentRamp ? movingAverageDecay(1.0, step) : 1.0};
    };
}

void TrainingSession::timeNodes()
{
    m_timesNodes = true;
    m_stepper->timeNodes();
}

void TrainingSession::stopReplaying()
{
    m_config.isCaptured = false;
    m_stepper->stopReplaying();
}

LearningRateSchedule TrainingSession::scheduleOf(const LearningRateSettings& settings) const
{
    const TowerShape towers = m_config.towerShape();
    return {settings, m_epochExamples, towers.towers, towers.batchPerTower};
}

void TrainingSession::start()
{
    m_stepper->start(m_step, m_examplesSeen);
    m_stepClock.restart();
}

const TrainingStep& TrainingSession::step(std::int64_t limit)
{
    if (stepsAhead() == 0) {
        enterPhase();
    }
    // Devices must not run ahead into another phase; the last one has no end.
    const std::size_t phase = phaseAt(m_phases, m_step);
    const bool isLast = phase + 1 == m_phases.size();
    m_stepper->setMasksWanted(m_areMasksWanted);
    StepOutcome& outcome =
        m_stepper->next(isLast ? limit : std::min(limit, m_phases[phase].endStep));
    if (outcome.fault) {
        refuse(outcome);
    }
    record(outcome);
    m_done.gradients = std::move(outcome.gradients);
    m_done.masks = std::move(outcome.masks);
    return m_done;
}

void TrainingSession::refuse(const StepOutcome& outcome) const
{
    constexpr const char* kKept = "the update was not applied";
    const StepFault& fault = *outcome.fault;
    const std::string missed = lastTowerCheckText(
        {outcome.step, outcome.towers.back().loss(outcome.weightDecayLoss),
         m_config.checkpointEverySteps});
    if (fault.parameter < 0) {
        const TowerResult& tower = outcome.towers[static_cast<std::size_t>(fault.tower)];
        throw StepRefused(
            fault,
            fmt::format(
                "step {}, tower {}: the loss is {}; {}. {}", outcome.step, fault.tower,
                std::isnan(tower.loss(outcome.weightDecayLoss)) ? "not a number" : "infinite",
                kKept, missed));
    }
    // Finite gradients can have a sum that is not.
    const std::string whose = fault.tower >= 0 ? fmt::format("tower {}: the gradient", fault.tower)
                                               : "the averaged gradient";
    throw StepRefused(
        fault,
        fmt::format(
            "step {}, {} of '{}' is not finite; {}. {}", outcome.step, whose,
            m_network.parameters[static_cast<std::size_t>(fault.parameter)].name, kKept, missed));
}

ObjectiveLosses TrainingSession::objectivesOf(const TowerResult& tower) const
{
    ObjectiveLosses losses;
    if (m_network.objectives.size() > 1) {
        for (std::size_t i = 0; i < m_network.objectives.size(); ++i) {
            losses.add(tower.objectives[i] / static_cast<double>(tower.examples));
        }
    }
    return losses;
}

void TrainingSession::record(const StepOutcome& outcome)
{
    StepRecord& record = m_done.record;
    record.towers.clear();
    for (const TowerResult& tower : outcome.towers) {
        record.towers.push_back(
            {tower.loss(outcome.weightDecayLoss), tower.correct, tower.examples,
             tower.seconds.start, tower.seconds.copy, tower.seconds.forward, tower.seconds.backward,
             objectivesOf(tower)});
    }
    const LossStatistics statistics = lossStatistics(record.towers);
    const std::int64_t globalBatch = shape().globalBatch();
    record.step = outcome.step;
    m_step = outcome.step + 1;
    record.learningRate = learningRateAt(outcome.step);
    m_examplesSeen += globalBatch;
    record.examples = m_examplesSeen;
    record.epoch = static_cast<double>(m_examplesSeen) / static_cast<double>(m_epochExamples);
    record.lossMean = statistics.mean;
    record.lossLast = statistics.last;
    record.inputSeconds = outcome.inputSeconds;
    record.queueFilled = outcome.queueFilled;
    record.computeSeconds = outcome.computeSeconds;
    record.averagingSeconds = outcome.averagingSeconds;
    record.updateSeconds = outcome.updateSeconds;
    const double elapsed = m_stepClock.restart();
    record.stepSeconds = outcome.seconds >= 0.0 ? outcome.seconds : elapsed;
    m_wallSeconds += record.stepSeconds;
    record.wallSeconds = m_wallSeconds;
    record.examplesPerSecond = examplesPerSecond(globalBatch, record.stepSeconds);
    record.secondsPerBatch = secondsPerBatch(record.stepSeconds, shape().towers);
}

Checkpoint TrainingSession::capture() const
{
    require(stepsAhead() == 0, "the state was asked for while devices are ahead");
    Checkpoint checkpoint;
    checkpoint.step = m_step;
    checkpoint.examplesSeen = m_examplesSeen;
    checkpoint.configuration = toToml(m_config);
    checkpoint.seed = m_config.seed;
    checkpoint.towers = shape().towers;
    checkpoint.threadsPerTower = shape().threadsPerTower;
    checkpoint.notes = {
        {"device", device().info().name + ": " + device().info().description},
        {"library", device().info().library},
        {"wall_seconds", fmt::format("{}", m_wallSeconds)}};
    checkpoint.notes.merge(notesOf(m_data));
    checkpoint.notes.merge(notesOfClassNames(m_training.info().classNames));
    if (!m_modelChecksum.empty()) {
        checkpoint.notes[kModelChecksumNote] = m_modelChecksum;
    }
    if (!m_measuredThreads.empty()) {
        checkpoint.notes[kMeasuredThreadsNote] = m_measuredThreads;
    }
    captureParameters(m_network, arena(), checkpoint);
    return checkpoint;
}

void TrainingSession::restore(const Checkpoint& checkpoint)
{
    restoreParameters(m_network, checkpoint, arena());
    m_step = checkpoint.step;
    m_examplesSeen = checkpoint.examplesSeen;
    const auto wall = checkpoint.notes.find("wall_seconds");
    m_wallSeconds =
        wall == checkpoint.notes.end() ? 0.0 : std::strtod(wall->second.c_str(), nullptr);
    const auto measured = checkpoint.notes.find(kMeasuredThreadsNote);
    if (m_measuredThreads.empty() && measured != checkpoint.notes.end()
        && checkpoint.towers == shape().towers
        && checkpoint.threadsPerTower == shape().threadsPerTower) {
        m_measuredThreads = measured->second;
    }
    enterPhase();
    m_stepper->parametersChanged();
    start();
}

void TrainingSession::takeOver(const std::vector<NamedTensor>& weights)
{
    takeOverWeights(m_network, weights, arena());
    m_stepper->parametersChanged();
    start();
}

std::vector<std::string> TrainingSession::describe() const
{
    const TowerShape& towers = shape();
    const DeviceInfo& info = device().info();
    std::vector<std::string> lines{
        fmt::format(
            "model {} ({} parameters), data set {} ({} training examples)", m_network.name,
            m_network.parameterElements(), m_training.info().name, m_training.size()),
        fmt::format(
            "{} towers x {} examples = global batch {}; {:.1f} steps an epoch", towers.towers,
            towers.batchPerTower, towers.globalBatch(),
            static_cast<double>(m_epochExamples) / static_cast<double>(towers.globalBatch())),
        fmt::format(
            "device {}: {}, {}; {}", info.name, info.description, info.library,
            m_stepper->describe()),
        fmt::format(
            "optimizer {}; learning rate {}, x {} every {} steps; memory of the towers {} MiB",
            lockstep::describe(m_optimizer), m_config.learningRate.initial,
            m_config.learningRate.decayFactor, m_schedule.decaySteps(), m_stepper->bytes() >> 20U),
    };
    const AlgorithmChoices choices = m_stepper->choices();
    if (choices.measured + choices.stored > 0) {
        lines.push_back(fmt::format(
            "algorithms: {} as they were measured before, {} measured now, in {:.1f} s",
            choices.stored, choices.measured, choices.seconds));
    }
    lines.insert(lines.end(), choices.notes.begin(), choices.notes.end());
    for (const RunPhase& phase : m_phases) {
        if (!phase.objective.empty()) {
            lines.push_back(phaseText(phase));
        }
    }
    if (m_training.info().hasMasks) {
        lines.push_back(describeMaskedData(m_config, m_network.inputShape()));
    }
    if (const auto* photos = m_training.encoded()) {
        lines.push_back(
            describeEncodedData(*photos, m_network.inputShape(), m_config.loaderThreads(device())));
    }
    if (!m_measuredThreads.empty()) {
        lines.push_back(fmt::format(
            "threads: {} a tower, measured: {}", towers.threadsPerTower, m_measuredThreads));
    }
    for (std::string& line : m_config.experiment.describe(towers.towers)) {
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace lockstep
