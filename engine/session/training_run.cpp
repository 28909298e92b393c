// SPDX-License-Identifier: Apache-2.0
#include "session/training_run.h"

#include "base/error.h"
#include "dataset/catalog.h"
#include "session/device_sampler.h"
#include "session/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lockstep {
namespace {

constexpr std::chrono::milliseconds kBetweenReadings{1000};

/// Threads, batch and folder of the data as they will be used, so that a resume finds the same.
RunConfig resolved(RunConfig config)
{
    config.validate();
    config.datasetPath = datasetFolder(config.dataset, config.datasetPath).string();
    const TowerShape shape = config.towerShape();
    config.threadsPerTower = shape.threadsPerTower;
    config.batchPerTower = shape.batchPerTower;
    config.globalBatch.reset();
    return config;
}

/// A new run must not be there yet; said before minutes go into reading data.
void checkNew(const RunRequest& request)
{
    if (!request.isResume && !request.folder.empty() && RunFolder::isRun(request.folder)) {
        fail(
            ErrorCode::BadInput,
            "{}: a run is there already; go on with it (--resume) or choose another folder",
            request.folder.string());
    }
}

/// What to change before a run that failed is resumed; empty where its checkpoints are no help.
std::string adviceAfter(ErrorCode code, const RunConfig& config)
{
    switch (code) {
    case ErrorCode::Numeric:
        return fmt::format(
            "with a lower learning rate (learning_rate.initial is {})",
            config.learningRate.initial);
    case ErrorCode::Device:
    case ErrorCode::OutOfMemory:
        return "when the device is well, or on another one";
    default:
        return "";
    }
}

RunConfig prepared(const RunRequest& request)
{
    checkNew(request);
    return resolved(request.config);
}

} // namespace

TrainingRun::TrainingRun(const RunRequest& request, RunObserver& observer)
    : m_config(prepared(request)), m_observer(observer),
      m_training(openDataset(m_config.dataset, m_config.datasetPath, Split::Train, m_config.seed)),
      m_test(openDataset(m_config.dataset, m_config.datasetPath, Split::Test, m_config.seed)),
      m_session(m_config, *m_training)
{
    m_evaluation.emplace(
        m_session.device(), m_session.network(), m_session.arena().layout(), *m_test,
        distortionFor(m_config, m_session.network()));
    m_config.algorithms = m_session.algorithms();
    m_evaluation->computeAs(
        precisionByName(m_config.precision), parseAlgorithms(m_config.algorithms));
    openFolder(request);
    for (const RunValue& fact : runFacts(m_config, m_session, *m_training)) {
        m_store->append(fact);
    }
    if (!m_session.deviceNote().empty()) {
        note("info", m_session.deviceNote());
    }
    for (const std::string& line : m_session.describe()) {
        note("info", line);
    }
}

TrainingRun::~TrainingRun() = default;

void TrainingRun::openFolder(const RunRequest& request)
{
    std::optional<LoadedCheckpoint> start;
    std::vector<std::string> skipped;
    if (request.checkpoint) {
        start.emplace();
        start->file.path = *request.checkpoint;
        start->checkpoint = readCheckpoint(*request.checkpoint);
    }
    if (request.isResume) {
        m_folder = RunFolder::resume(request.folder);
        if (!start) {
            start = newestGoodCheckpoint(
                m_folder->checkpoints(), [&](const std::string& text) { skipped.push_back(text); });
        }
    }
    if (start) {
        m_session.restore(start->checkpoint);
        m_lastCheckpoint = start->file.path;
    }
    if (!m_folder) {
        m_folder = request.folder.empty()
                       ? RunFolder::createDefault(m_session.network().name, toToml(m_config))
                       : RunFolder::create(request.folder, toToml(m_config));
    } else {
        m_folder->saveConfiguration(toToml(m_config));
    }
    m_checkpoints.emplace(m_folder->checkpoints(), m_config.checkpointKeep);
    m_store.emplace(m_folder->storeFile());
    if (request.isResume) {
        m_checkpoints->setAsideAfter(m_session.nextStep());
        m_store->startBranch(m_session.nextStep());
    }
    for (const std::string& text : skipped) {
        note("warning", text);
    }
    if (request.isResume) {
        note(
            start ? "info" : "warning",
            start ? fmt::format("resumed from {}", m_lastCheckpoint.string())
                  : "there is no checkpoint to resume from: starting at step 0");
    }
    m_isContinued = request.isResume && start.has_value();
    // A resumed state is on disk already.
    m_savedStep = m_isContinued ? m_session.nextStep() : -1;
}

void TrainingRun::train()
{
    setState(RunState::Running);
    try {
        const DeviceSampler sampler(
            sampledDevices(m_session.devices()), kBetweenReadings,
            [this](const DeviceReadingRecord& reading) {
                m_control.report([this, reading] { take(reading); });
            });
        begin();
        loop();
        finish();
    } catch (const Error& error) {
        setState(RunState::Failed);
        const std::string advice = adviceAfter(error.code(), m_config);
        if (advice.empty()) {
            throw;
        }
        const std::string text = fmt::format(
            "{}. The last good checkpoint is {}; resume from it {}", error.what(),
            m_lastCheckpoint.string(), advice);
        note("error", text);
        m_store->close();
        throw Error(error.code(), text);
    }
}

void TrainingRun::begin()
{
    if (m_savedStep != m_session.nextStep()) {
        save();
    }
    m_session.restartClock();
}

void TrainingRun::loop()
{
    while (m_session.nextStep() < m_config.steps && mayGoOn()) {
        const StepRecord record = m_session.step(horizon());
        m_store->append(record);
        m_observer.onStep(record);
        if (isDue(m_config.checkpointEverySteps)) {
            save();
        }
        if (isDue(m_config.evaluateEverySteps)) {
            evaluate();
        }
    }
}

void TrainingRun::finish()
{
    const bool isComplete = m_session.nextStep() >= m_config.steps;
    if (m_savedStep != m_session.nextStep()) {
        save();
    }
    m_control.serve(); // what was asked for while the last step ran
    if (isComplete && m_config.evaluateAtEnd && m_evaluatedStep != m_session.nextStep()) {
        evaluate();
    }
    m_control.serveReports();
    note(
        "info",
        fmt::format("{} at step {}", isComplete ? "finished" : "stopped", m_session.nextStep()));
    m_store->close();
    setState(isComplete ? RunState::Finished : RunState::Stopped);
}

std::int64_t TrainingRun::horizon() const
{
    const std::int64_t next = m_session.nextStep();
    if (m_control.isAttentionWanted()) {
        return next + 1;
    }
    std::int64_t limit = m_config.steps;
    for (const std::int64_t every : {m_config.checkpointEverySteps, m_config.evaluateEverySteps}) {
        if (every > 0) {
            limit = std::min(limit, (next / every + 1) * every);
        }
    }
    return limit;
}

bool TrainingRun::isDue(std::int64_t everySteps) const
{
    return everySteps > 0 && m_session.nextStep() % everySteps == 0;
}

void TrainingRun::save()
{
    // The steps first: a resume from this checkpoint must find no gap before it.
    m_store->flush();
    m_lastCheckpoint = m_checkpoints->save(m_session.capture());
    m_savedStep = m_session.nextStep();
    m_observer.onCheckpoint(m_savedStep, m_lastCheckpoint);
    m_session.restartClock();
}

void TrainingRun::evaluate()
{
    m_session.arena().roundOperands();
    evaluate(WeightsKind::Raw);
    evaluate(WeightsKind::Average);
    m_evaluatedStep = m_session.nextStep();
    m_session.restartClock();
}

void TrainingRun::evaluate(WeightsKind kind)
{
    const ParameterArena& arena = m_session.arena();
    ThreadTeam& threads = m_session.stepper().threads();
    const int workers = m_config.evaluateTowers == 0
                            ? threads.size()
                            : m_config.evaluateTowers * m_config.threadsPerTower;
    EvaluationRecord record = m_evaluation->run(
        threads, workers,
        kind == WeightsKind::Raw ? arena.weightsView() : arena.movingAverageView());
    record.step = m_session.nextStep();
    record.weights = kind;
    m_store->append(record);
    m_observer.onEvaluation(record);
}

void TrainingRun::note(const char* level, const std::string& text)
{
    m_store->append(RunEvent{0.0, level, text});
    m_observer.onNote(text);
}

void TrainingRun::take(DeviceReadingRecord reading)
{
    reading.step = m_session.nextStep();
    m_store->append(reading);
    m_observer.onDeviceReading(reading);
}

bool TrainingRun::mayGoOn()
{
    if (m_session.stepsAhead() > 0) {
        m_control.serveReports();
        return true;
    }
    return m_control.mayGoOn([this](bool isPaused) {
        setState(isPaused ? RunState::Paused : RunState::Running);
        if (!isPaused) {
            m_session.restartClock();
        }
    });
}

void TrainingRun::requestCheckpoint()
{
    m_control.request([this] { save(); });
}

void TrainingRun::requestCheckpoint(const std::filesystem::path& file)
{
    m_control.request([this, file] { saveAs(file); });
}

void TrainingRun::requestEvaluation()
{
    m_control.request([this] { evaluate(); });
}

void TrainingRun::saveAs(const std::filesystem::path& file)
{
    try {
        writeCheckpoint(m_session.capture(), file);
        m_observer.onCheckpoint(m_session.nextStep(), file);
    } catch (const Error& error) {
        note("error", error.what());
    }
    m_session.restartClock();
}

void TrainingRun::setState(RunState state)
{
    m_state = state;
    m_observer.onState(state);
}

RunConfig configOfRun(const std::filesystem::path& folder)
{
    RunConfig config;
    parseConfig(config, RunFolder::configurationOf(folder), (folder / "run.toml").string());
    return config;
}

} // namespace lockstep
