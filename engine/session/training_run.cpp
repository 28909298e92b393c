// SPDX-License-Identifier: Apache-2.0
#include "session/training_run.h"

#include "base/error.h"
#include "dataset/catalog.h"
#include "session/version.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <functional>
#include <utility>

namespace lockstep {
namespace {

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

std::string hostName()
{
    std::array<char, HOST_NAME_MAX + 1> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
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
        distortionFor(m_config, m_session.network()), precisionByName(m_config.precision));
    m_config.algorithms = m_session.algorithms();
    openFolder(request);
    recordFacts();
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

void TrainingRun::recordFacts()
{
    const DeviceInfo& info = m_session.device().info();
    const TowerShape& shape = m_session.shape();
    const std::vector<RunValue> facts{
        {"version", versionText()},
        {"host", hostName()},
        {"device", fmt::format("{}: {}", info.name, info.description)},
        {"library", info.library},
        {"model", m_session.network().name},
        {"dataset", m_training->info().name},
        {"training_examples", std::to_string(m_training->size())},
        {"towers", std::to_string(shape.towers)},
        {"threads_per_tower", std::to_string(shape.threadsPerTower)},
        {"batch_per_tower", std::to_string(shape.batchPerTower)},
        {"seed", std::to_string(m_config.seed)},
        {"configuration", toToml(m_config)}};
    for (const RunValue& fact : facts) {
        m_store->append(fact);
    }
    for (const OpReport& op : m_session.stepper().report()) {
        m_store->append(RunValue{"algorithm." + op.layer, op.algorithm});
    }
}

void TrainingRun::train()
{
    setState(RunState::Running);
    try {
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
    {
        // What was asked for while the last step ran.
        std::unique_lock lock(m_mutex);
        serve(lock);
    }
    if (isComplete && m_config.evaluateAtEnd && m_evaluatedStep != m_session.nextStep()) {
        evaluate();
    }
    note(
        "info",
        fmt::format("{} at step {}", isComplete ? "finished" : "stopped", m_session.nextStep()));
    m_store->close();
    setState(isComplete ? RunState::Finished : RunState::Stopped);
}

std::int64_t TrainingRun::horizon() const
{
    const std::int64_t next = m_session.nextStep();
    {
        const std::scoped_lock lock(m_mutex);
        if (m_pauseWanted || m_stopWanted || !m_requests.empty()) {
            return next + 1;
        }
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

bool TrainingRun::mayGoOn()
{
    if (m_session.stepsAhead() > 0) {
        return true;
    }
    std::unique_lock lock(m_mutex);
    serve(lock);
    if (m_pauseWanted && !m_stopWanted) {
        lock.unlock();
        setState(RunState::Paused);
        lock.lock();
        while (m_pauseWanted && !m_stopWanted && !m_stepWanted) {
            m_changed.wait(lock, [this] {
                return !m_pauseWanted || m_stopWanted || m_stepWanted || !m_requests.empty();
            });
            serve(lock);
        }
        m_stepWanted = false;
        lock.unlock();
        setState(RunState::Running);
        m_session.restartClock();
        lock.lock();
    }
    return !m_stopWanted;
}

void TrainingRun::serve(std::unique_lock<std::mutex>& lock)
{
    while (!m_requests.empty()) {
        const auto requests = std::exchange(m_requests, {});
        lock.unlock();
        for (const auto& request : requests) {
            request();
        }
        lock.lock();
    }
}

void TrainingRun::post(std::function<void()> request)
{
    const std::scoped_lock lock(m_mutex);
    m_requests.push_back(std::move(request));
    m_changed.notify_all();
}

void TrainingRun::requestCheckpoint()
{
    post([this] { save(); });
}

void TrainingRun::requestCheckpoint(const std::filesystem::path& file)
{
    post([this, file] { saveAs(file); });
}

void TrainingRun::requestEvaluation()
{
    post([this] { evaluate(); });
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
    {
        const std::scoped_lock lock(m_mutex);
        m_state = state;
    }
    m_observer.onState(state);
}

RunState TrainingRun::state() const
{
    const std::scoped_lock lock(m_mutex);
    return m_state;
}

void TrainingRun::pause()
{
    const std::scoped_lock lock(m_mutex);
    m_pauseWanted = true;
}

void TrainingRun::resume()
{
    const std::scoped_lock lock(m_mutex);
    m_pauseWanted = false;
    m_changed.notify_all();
}

void TrainingRun::stepOnce()
{
    const std::scoped_lock lock(m_mutex);
    m_stepWanted = m_pauseWanted;
    m_changed.notify_all();
}

void TrainingRun::stop()
{
    const std::scoped_lock lock(m_mutex);
    m_stopWanted = true;
    m_changed.notify_all();
}

RunConfig configOfRun(const std::filesystem::path& folder)
{
    RunConfig config;
    parseConfig(config, RunFolder::configurationOf(folder), (folder / "run.toml").string());
    return config;
}

} // namespace lockstep
