// SPDX-License-Identifier: Apache-2.0
#include "session/training/training_session.h"

#include "base/error.h"
#include "dataset/examples/class_names.h"
#include "metrics/loss_statistics.h"
#include "metrics/throughput.h"
#include "ranks/ranks.h"
#include "session/config/training_phases.h"
#include "session/config/version.h"
#include "session/training/measured_threads.h"
#include "session/training/training_state.h"
#include "tower/layer_algorithms.h"
#include "tower/rank_towers.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <utility>

namespace lockstep {
namespace {

/// As one rank would train its towers alone.
StepperSettings withoutRanks(StepperSettings settings)
{
    settings.shape.towers = settings.share.of(settings.shape.towers).count;
    settings.share = {};
    settings.input.globalBatch = settings.shape.globalBatch();
    settings.input.firstRow = 0;
    settings.input.rowCount = 0;
    settings.input.shards = {.towers = settings.shape.towers};
    settings.experiment = {};
    return settings;
}

void takeFastestThreads(TrainingPlan& plan, const NetworkSpec& trained)
{
    // What an accelerator does not use is what a run on the processors would take unmeasured.
    plan.config.threadsPerTower = {plan.config.towerShape().threadsPerTower};
    if (plan.devices.first().worksOnHost()) {
        const StepperSettings settings = plan.stepperSettings(trained);
        const auto trials = measureThreads(
            settings.share.ranks == nullptr ? settings : withoutRanks(settings), plan.config.seed);
        plan.config.threadsPerTower = {fastestThreads(trials)};
        plan.measuredThreads = toString(trials);
    }
}

/// Once for a training: how a batch is split among threads decides the order of float sums. Rank 0
/// chooses for all.
void chooseThreads(TrainingPlan& plan, const NetworkSpec& trained)
{
    Ranks* const ranks = plan.share.ranks;
    if (plan.config.threadsPerTower.isMeasured && plan.share.isFirst()) {
        takeFastestThreads(plan, trained);
    }
    if (ranks != nullptr) {
        plan.config.threadsPerTower = {fromFirst(*ranks, plan.config.towerShape().threadsPerTower)};
    }
}

/// What two plans chose for a layer: one that is frozen in a phase has but a part of its algorithms
/// there, and the fuller text says all. What another device chose before goes.
void merge(std::map<std::string, std::string>& algorithms, const OpReport& op)
{
    std::string& known = algorithms[op.layer];
    const bool isPart = known.find(op.algorithm.substr(0, op.algorithm.find(';'))) != known.npos;
    known = isPart && known.size() > op.algorithm.size() ? known : op.algorithm;
}

/// A host device takes those that are not measured every time. Of the first rank, for all.
void keepAlgorithms(TrainingPlan& plan, const Stepper& stepper)
{
    auto algorithms = parseAlgorithms(plan.config.algorithms);
    const bool isHost = plan.devices.first().worksOnHost();
    for (const OpReport& op : stepper.report()) {
        // No algorithm: it does nothing, or another op does it.
        if (isHost ? op.choices.isMeasured() : !op.algorithm.empty()) {
            merge(algorithms, op);
        }
    }
    plan.config.algorithms = algorithmsText(algorithms);
    if (Ranks* const ranks = plan.share.ranks; ranks != nullptr) {
        plan.config.algorithms = textFromFirst(*ranks, plan.config.algorithms);
    }
}

bool areTrainedAlike(const NetworkSpec& a, const NetworkSpec& b)
{
    return std::ranges::equal(
        a.objectives, b.objectives, [](const Objective& one, const Objective& other) {
            return one.weight == other.weight && one.groups == other.groups;
        });
}

ObjectiveLosses objectivesOf(const NetworkSpec& network, const TowerResult& tower)
{
    ObjectiveLosses losses;
    if (network.objectives.size() > 1) {
        for (std::size_t i = 0; i < network.objectives.size(); ++i) {
            losses.add(tower.objectives[i] / static_cast<double>(tower.examples));
        }
    }
    return losses;
}

} // namespace

TrainingSession::TrainingSession(
    const RunConfig& config, const Dataset& training, const std::function<bool()>& mayGoOn,
    Ranks* ranks)
    : m_plan(config, training, ranks), m_trained(networkOf(m_plan.network, m_plan.phases.front()))
{
    chooseThreads(m_plan, m_trained);
    StepperSettings settings = m_plan.stepperSettings(m_trained);
    settings.mayGoOn = mayGoOn;
    m_stepper = makeStepper(settings);
    keepAlgorithms(m_plan, *m_stepper);
    findPlaces();
    m_deviceNumbers = deviceNumbers(m_places);
    m_stepper->arena().initialize(m_plan.network, config.seed);
    m_stepper->parametersChanged();
    start();
}

void TrainingSession::findPlaces()
{
    const TowerRange own = m_plan.share.of(m_plan.config.towers);
    Ranks* const ranks = m_plan.share.ranks;
    for (int tower = own.first; tower < own.first + own.count; ++tower) {
        const std::string place = m_stepper->placeOf(tower);
        m_places.push_back(ranks == nullptr ? place : placeOn(place));
    }
    if (ranks == nullptr) {
        return;
    }
    const auto all = gatheredTexts(*ranks, fmt::format("{}", fmt::join(m_places, "\n")));
    std::vector<std::string> work;
    m_places.clear();
    for (int rank = 0; rank < ranks->size(); ++rank) {
        std::istringstream places(all[static_cast<std::size_t>(rank)]);
        const std::size_t first = m_places.size();
        for (std::string place; std::getline(places, place);) {
            m_places.push_back(place);
        }
        work.push_back(
            towersText({static_cast<int>(first), static_cast<int>(m_places.size() - first)}));
    }
    ranks->setWork(std::move(work));
    meetClocks();
}

std::string TrainingSession::placeOn(const std::string& device) const
{
    const Ranks& ranks = *m_plan.share.ranks;
    return fmt::format("rank{}@{}:{}", ranks.rank(), ranks.hostOf(ranks.rank()), device);
}

void TrainingSession::compareClocks()
{
    order({RankOrder::Kind::CompareClocks});
    meetClocks();
}

void TrainingSession::meetClocks()
{
    Ranks& ranks = *m_plan.share.ranks;
    ranks.compareClocks();
    const std::vector<double> own(
        static_cast<std::size_t>(m_plan.share.towers.count), ranks.clock().uncertainty);
    m_uncertainties = ofAllTowers<double>(ranks, m_plan.config.towers, own, 1);
    restartClock();
}

std::vector<double> TrainingSession::clockUncertainties() const
{
    const double ofDevices = m_stepper->clockUncertainty();
    return ofDevices > 0.0 ? std::vector(m_places.size(), ofDevices) : m_uncertainties;
}

void TrainingSession::start()
{
    m_stepper->start(m_progress.step, m_progress.examplesSeen);
    m_stepClock.restart();
}

/// Plans towers and memory anew where the next step trains something else than what is planned.
/// What both have, weights, moving averages and the optimizer's slots, is carried over bit for bit;
/// a frozen group's stay as they are.
void TrainingSession::enterPhase()
{
    const std::size_t phase = phaseAt(m_plan.phases, m_progress.step);
    if (m_phase == phase) {
        return;
    }
    m_phase = phase;
    NetworkSpec next = networkOf(m_plan.network, m_plan.phases[phase]);
    if (areTrainedAlike(next, m_trained)) {
        return;
    }
    Checkpoint parameters;
    captureParameters(m_plan.network, m_stepper->arena(), parameters);
    m_stepper.reset(); // first: there may not be memory for both
    m_trained = std::move(next);
    StepperSettings settings = m_plan.stepperSettings(m_trained);
    leaveUnmeasured(settings.algorithms); // a step must not wait for that
    m_stepper = makeStepper(settings);
    keepAlgorithms(m_plan, *m_stepper);
    restoreParameters(m_plan.network, parameters, m_stepper->arena());
    m_stepper->parametersChanged();
    m_stepper->start(m_progress.step, m_progress.examplesSeen);
    if (m_timesNodes) {
        m_stepper->timeNodes();
    }
}

void TrainingSession::timeNodes()
{
    m_timesNodes = true;
    m_stepper->timeNodes();
}

void TrainingSession::stopReplaying()
{
    m_plan.config.isCaptured = false;
    m_stepper->stopReplaying();
}

void TrainingSession::order(const RankOrder& order) const
{
    if (Ranks* const ranks = m_plan.share.ranks; ranks != nullptr && ranks->rank() == 0) {
        fromFirst(*ranks, order);
    }
}

RankOrder TrainingSession::obey()
{
    const auto order = fromFirst(*m_plan.share.ranks, RankOrder());
    switch (order.kind) {
    case RankOrder::Kind::Step:
        m_areMasksWanted = order.value != 0.0;
        step(order.number);
        break;
    case RankOrder::Kind::State:
        shareState();
        break;
    case RankOrder::Kind::LearningRate:
        setLearningRate(order.value);
        break;
    case RankOrder::Kind::Steps:
        setSteps(order.number);
        break;
    case RankOrder::Kind::CompareClocks:
        compareClocks();
        break;
    case RankOrder::Kind::Evaluate:
    case RankOrder::Kind::End:
        break;
    }
    return order;
}

/// The parameters and where the training stands, from rank 0 to all.
void TrainingSession::shareState()
{
    Ranks* const ranks = m_plan.share.ranks;
    if (ranks != nullptr) {
        order({RankOrder::Kind::State});
        m_progress = fromFirst(*ranks, m_progress);
    }
    if (m_plan.goOnFrom(m_progress.step, m_progress.examplesSeen)) {
        planChanged();
    }
    enterPhase();
    if (ranks != nullptr) {
        const ParameterArena& arena = m_stepper->arena();
        const Device& device = m_plan.devices.first();
        std::vector<std::byte> values(
            static_cast<std::size_t>(arena.layout().elements) * sizeof(float));
        for (float* const part : arena.stateParts()) {
            auto* const bytes = reinterpret_cast<std::byte*>(part);
            device.copyOut(values.data(), bytes, values.size());
            ranks->broadcast(values);
            device.copyIn(bytes, values.data(), values.size());
        }
    }
    m_stepper->parametersChanged();
    start();
}

void TrainingSession::setLearningRate(double rate)
{
    order({.kind = RankOrder::Kind::LearningRate, .value = rate});
    require(
        m_stepper->stepsAhead() == 0,
        "another learning rate was asked for while devices are ahead");
    m_plan.setLearningRate(m_progress.step, rate);
    planChanged();
}

void TrainingSession::setSteps(std::int64_t steps)
{
    order({.kind = RankOrder::Kind::Steps, .number = steps});
    require(m_stepper->stepsAhead() == 0, "other steps were asked for while devices are ahead");
    m_plan.setSteps(steps);
    planChanged();
}

void TrainingSession::planChanged()
{
    m_phase.reset();
    m_stepper->setSchedule(m_plan.updates());
}

const TrainingStep& TrainingSession::step(std::int64_t limit)
{
    order({RankOrder::Kind::Step, limit, m_areMasksWanted ? 1.0 : 0.0});
    if (m_stepper->stepsAhead() == 0) {
        enterPhase();
    }
    // Devices must not run ahead into another phase; the last one has no end.
    const std::size_t phase = phaseAt(m_plan.phases, m_progress.step);
    const bool isLast = phase + 1 == m_plan.phases.size();
    m_stepper->setMasksWanted(m_areMasksWanted);
    StepOutcome& outcome =
        m_stepper->next(isLast ? limit : std::min(limit, m_plan.phases[phase].endStep));
    if (outcome.fault) {
        throw refusalOf(outcome, m_plan);
    }
    record(outcome);
    m_done.exchange = outcome.exchange;
    m_done.gradientNorm = outcome.gradientNorm;
    m_done.gradients = std::move(outcome.gradients);
    m_done.masks = std::move(outcome.masks);
    return m_done;
}

void TrainingSession::record(const StepOutcome& outcome)
{
    StepRecord& record = m_done.record;
    record.towers.clear();
    for (const TowerResult& tower : outcome.towers) {
        record.towers.push_back(
            {tower.loss(outcome.weightDecayLoss), tower.correct, tower.examples,
             tower.seconds.start, tower.seconds.copy, tower.seconds.forward, tower.seconds.backward,
             objectivesOf(m_plan.network, tower), m_deviceNumbers[record.towers.size()]});
    }
    const LossStatistics statistics = lossStatistics(record.towers);
    const std::int64_t globalBatch = m_stepper->shape().globalBatch();
    record.step = outcome.step;
    m_progress.step = outcome.step + 1;
    record.learningRate = m_plan.learningRateAt(outcome.step);
    m_progress.examplesSeen += globalBatch;
    record.examples = m_progress.examplesSeen;
    record.epoch =
        static_cast<double>(m_progress.examplesSeen) / static_cast<double>(m_plan.epochExamples);
    record.lossMean = statistics.mean;
    record.lossLast = statistics.last;
    record.weightDecayLoss = outcome.weightDecayLoss;
    record.inputSeconds = outcome.inputSeconds;
    record.queueFilled = outcome.queueFilled;
    record.computeSeconds = outcome.computeSeconds;
    record.averagingSeconds = outcome.averagingSeconds;
    record.updateSeconds = outcome.updateSeconds;
    const double elapsed = m_stepClock.restart();
    record.stepSeconds = outcome.seconds >= 0.0 ? outcome.seconds : elapsed;
    m_progress.wallSeconds += record.stepSeconds;
    record.wallSeconds = m_progress.wallSeconds;
    record.examplesPerSecond = examplesPerSecond(globalBatch, record.stepSeconds);
    record.secondsPerBatch = secondsPerBatch(record.stepSeconds, m_stepper->shape().towers);
}

Checkpoint TrainingSession::capture() const
{
    require(m_stepper->stepsAhead() == 0, "the state was asked for while devices are ahead");
    const DeviceInfo& device = m_plan.devices.first().info();
    Checkpoint checkpoint;
    checkpoint.step = m_progress.step;
    checkpoint.examplesSeen = m_progress.examplesSeen;
    checkpoint.configuration = toToml(m_plan.config);
    checkpoint.seed = m_plan.config.seed;
    checkpoint.towers = m_stepper->shape().towers;
    checkpoint.threadsPerTower = m_stepper->shape().threadsPerTower;
    checkpoint.notes = {
        {"device", device.name + ": " + device.description},
        {"library", device.library},
        {"version", fmt::format("{} ({})", versionText(), revisionText())},
        {"wall_seconds", fmt::format("{}", m_progress.wallSeconds)}};
    checkpoint.notes.merge(notesOf(m_plan.data));
    checkpoint.notes.merge(notesOfClassNames(m_plan.training.info().classNames));
    checkpoint.notes.insert(m_notes.begin(), m_notes.end());
    if (!m_plan.modelChecksum.empty()) {
        checkpoint.notes[kModelChecksumNote] = m_plan.modelChecksum;
    }
    if (!m_plan.measuredThreads.empty()) {
        checkpoint.notes[kMeasuredThreadsNote] = m_plan.measuredThreads;
    }
    captureParameters(m_plan.network, m_stepper->arena(), checkpoint);
    return checkpoint;
}

void TrainingSession::restore(const Checkpoint& checkpoint)
{
    restoreParameters(m_plan.network, checkpoint, m_stepper->arena());
    m_progress.step = checkpoint.step;
    m_progress.examplesSeen = checkpoint.examplesSeen;
    m_progress.wallSeconds = 0.0;
    if (const auto wall = checkpoint.notes.find("wall_seconds"); wall != checkpoint.notes.end()) {
        const std::string& text = wall->second; // whatever the locale
        std::from_chars(text.data(), text.data() + text.size(), m_progress.wallSeconds);
    }
    const auto measured = checkpoint.notes.find(kMeasuredThreadsNote);
    if (m_plan.measuredThreads.empty() && measured != checkpoint.notes.end()
        && checkpoint.towers == m_stepper->shape().towers
        && checkpoint.threadsPerTower == m_stepper->shape().threadsPerTower) {
        m_plan.measuredThreads = measured->second;
    }
    shareState();
}

void TrainingSession::takeOver(const std::vector<NamedTensor>& weights)
{
    takeOverWeights(m_plan.network, weights, m_stepper->arena());
    shareState();
}

} // namespace lockstep
