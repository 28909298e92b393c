// SPDX-License-Identifier: Apache-2.0
#include "session/training_run.h"

#include "base/error.h"
#include "session/device_sampler.h"
#include "session/event_recorder.h"
#include "session/preflight.h"
#include "session/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

namespace lockstep {
namespace {

constexpr std::chrono::milliseconds kBetweenReadings{1000};

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

} // namespace

void TrainingRun::train()
{
    setState(RunState::Running);
    try {
        const DeviceSampler sampler(
            sampledDevices(m_session.devices()), kBetweenReadings,
            [this](const DeviceReadingRecord& reading) {
                m_control.report([this, reading] { take(reading); });
            });
        check();
        begin();
        loop();
        finish();
    } catch (const Error& error) {
        setState(RunState::Failed);
        throw concluded(error);
    } catch (const std::bad_alloc&) {
        setState(RunState::Failed);
        throw concluded(Error(ErrorCode::OutOfMemory, "there is no memory left"));
    } catch (const std::exception& error) { // say of the system: no thread, no socket
        setState(RunState::Failed);
        throw concluded(Error(ErrorCode::Internal, error.what()));
    }
}

/// Leaves in the store how the run ended, if that can still be written.
Error TrainingRun::concluded(const Error& error)
{
    const std::string advice = adviceAfter(error.code(), m_config);
    std::string text = error.what();
    if (!advice.empty() && !lastCheckpoint().empty()) {
        text += fmt::format(
            ". The last good checkpoint is {}; resume from it {}", lastCheckpoint().string(),
            advice);
    }
    try {
        m_files->append(RunEvent{0.0, "error", text});
        storeState(RunState::Failed);
        recordEvents([&] {
            if (m_events) {
                m_events->flush();
            }
        });
        m_files->close();
    } catch (const Error&) {
        // The store itself is what failed: then `text` says so.
    }
    if (text != error.what()) {
        m_observer.onNote(text);
    }
    return {error.code(), text};
}

void TrainingRun::check()
{
    runPreflight(
        {m_config, m_session, *m_training, *m_test, *m_files},
        [this](const PreflightRecord& record) {
            m_files->append(record);
            m_observer.onPreflight(record);
        });
}

void TrainingRun::begin()
{
    storeState(RunState::Running);
    if (m_files->savedStep() != m_session.nextStep()) {
        save("start");
    }
    m_session.restartClock();
}

void TrainingRun::loop()
{
    while (m_session.nextStep() < m_config.steps && mayGoOn()) {
        const StepRecord record = m_session.step(horizon());
        m_stepsDone = m_session.nextStep();
        m_files->append(record);
        m_observer.onStep(record);
        if (m_session.gradients()) {
            take(*m_session.gradients());
        }
        if (m_events && m_events->isDue(record.step)) {
            recordEvents([&] { m_events->record(record); });
            m_session.restartClock();
        }
        if (isDue(m_config.checkpointEverySteps)) {
            save("periodic");
        }
        if (isDue(m_config.evaluateEverySteps)) {
            evaluate();
        }
    }
}

void TrainingRun::finish()
{
    const bool isComplete = m_session.nextStep() >= m_config.steps;
    if (m_files->savedStep() != m_session.nextStep()) {
        save("end");
    }
    m_control.serve(); // what was asked for while the last step ran
    if (isComplete && m_config.evaluateAtEnd && m_evaluatedStep != m_session.nextStep()) {
        evaluate();
    }
    recordEvents([&] {
        if (m_events) {
            m_events->flush();
        }
    });
    m_control.serveReports();
    note(
        "info",
        fmt::format("{} at step {}", isComplete ? "finished" : "stopped", m_session.nextStep()));
    const RunState state = isComplete ? RunState::Finished : RunState::Stopped;
    storeState(state);
    m_files->close();
    setState(state);
}

std::int64_t TrainingRun::horizon() const
{
    const std::int64_t next = m_session.nextStep();
    if (m_control.isAttentionWanted()) {
        return next + 1;
    }
    std::int64_t limit = m_config.steps;
    if (m_events) {
        limit = std::min(limit, m_events->horizon(next));
    }
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

void TrainingRun::save(const char* reason)
{
    const std::filesystem::path& file = m_files->save(m_session.capture(), reason);
    m_observer.onCheckpoint(m_session.nextStep(), file);
    m_session.restartClock();
}

void TrainingRun::evaluate()
{
    m_session.arena().roundOperands();
    evaluate(WeightsKind::Raw);
    evaluate(WeightsKind::Average);
    m_evaluatedStep = m_session.nextStep();
    if (m_files->isUnsavedBest(m_evaluatedStep)) {
        save("best");
    }
    m_session.restartClock();
}

void TrainingRun::evaluate(WeightsKind kind)
{
    const ParameterArena& arena = m_session.arena();
    ThreadTeam& threads = m_session.stepper().threads();
    const int workers = m_config.evaluateTowers == 0
                            ? threads.size()
                            : m_config.evaluateTowers * m_config.threadsPerTower.number;
    EvaluationRecord record = m_evaluation->run(
        threads, workers,
        kind == WeightsKind::Raw ? arena.weightsView() : arena.movingAverageView());
    record.step = m_session.nextStep();
    record.weights = kind;
    m_files->append(record);
    recordEvents([&] {
        if (m_events) {
            m_events->record(record);
        }
    });
    m_observer.onEvaluation(record);
}

/// A training goes on without them where they can't be written.
void TrainingRun::recordEvents(const std::function<void()>& record)
{
    try {
        record();
    } catch (const std::exception& error) {
        m_events.reset();
        note("warning", fmt::format("{}: nothing more is recorded for TensorBoard", error.what()));
    }
}

void TrainingRun::note(const char* level, const std::string& text)
{
    m_files->append(RunEvent{0.0, level, text});
    m_observer.onNote(text);
}

void TrainingRun::take(DeviceReadingRecord reading)
{
    reading.step = m_session.nextStep();
    m_files->append(reading);
    m_observer.onDeviceReading(reading);
}

void TrainingRun::take(const GradientRecord& gradients)
{
    m_files->append(gradients);
    if (m_events) {
        m_events->take(gradients);
    }
    m_observer.onGradients(gradients);
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
    m_control.request([this] { save("requested"); });
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
        m_files->saveAs(m_session.capture(), file);
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

void TrainingRun::storeState(RunState state)
{
    m_files->append(RunValue{kRunStateFact, std::string(toString(state))});
}

RunConfig configOfRun(const std::filesystem::path& folder)
{
    RunConfig config;
    parseConfig(config, RunFolder::configurationOf(folder), (folder / "run.toml").string());
    return config;
}

} // namespace lockstep
