// SPDX-License-Identifier: Apache-2.0
// What can be asked of a TrainingRun while it trains, by whom, and how that is done.
#include "base/error.h"
#include "base/overloaded.h"
#include "session/control/control_server.h"
#include "session/run/run_files.h"
#include "session/run/training_run.h"
#include "session/run/watchdog.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

/// Where no socket can be made the run can only be watched, and stopped by a signal.
void TrainingRun::listen()
{
    try {
        const auto obey = [this](const RunCommand& command) {
            send(command);
            return status();
        };
        const auto masks = [this](std::int64_t after) { return m_control.askForMasks(after); };
        m_server = std::make_unique<ControlServer>(folder(), obey, masks);
    } catch (const std::exception& error) {
        note(
            NoteLevel::Warning,
            fmt::format("{}: other programs can't control this run", error.what()));
    }
}

bool TrainingRun::mayGoOn()
{
    if (m_session.stepper().stepsAhead() > 0) {
        m_control.serveReports();
        return true;
    }
    return m_control.mayGoOn([this](bool isPaused) {
        m_watch->begin(isPaused ? Watchdog::Activity::Other : Watchdog::Activity::Step);
        setState(isPaused ? RunState::Paused : RunState::Running);
        if (!isPaused) {
            m_session.restartClock();
        }
    });
}

RunStatus TrainingRun::status() const
{
    return {m_state, m_stepsDone, m_wantedSteps, static_cast<int>(::getpid()), m_stopStep};
}

void TrainingRun::send(const RunCommand& command)
{
    checkPossible(command);
    std::visit(
        Overloaded{
            [](const command::AskStatus&) {}, [this](const command::Pause&) { m_control.pause(); },
            [this](const command::Resume&) { m_control.resume(); },
            [this](const command::StepOnce&) { m_control.stepOnce(); },
            [this](const command::Stop&) { m_control.stop(); },
            [this](const auto& between) { // two steps
                m_control.request([this, between] { carryOut(between); });
            }},
        command);
}

void TrainingRun::checkPossible(const RunCommand& command) const
{
    if (const auto* const change = std::get_if<command::SetLearningRate>(&command);
        change != nullptr && (!std::isfinite(change->rate) || change->rate < 0.0)) {
        fail(
            ErrorCode::BadInput, "the learning rate is {}, but must be a number of 0 or more",
            change->rate);
    }
    const std::int64_t done = m_stepsDone;
    if (const auto* const change = std::get_if<command::SetSteps>(&command);
        change != nullptr && change->steps < done) {
        fail(
            ErrorCode::BadInput, "steps is {}, but {} are made already; choose more", change->steps,
            done);
    }
}

void TrainingRun::carryOut(const command::SaveCheckpoint& /*command*/)
{
    saveOrTell("requested");
}

void TrainingRun::carryOut(const command::Evaluate& /*command*/)
{
    evaluate();
}

void TrainingRun::carryOut(const command::SaveCheckpointAs& command)
{
    const WatchedActivity saving(m_watch.get(), Watchdog::Activity::Save);
    try {
        m_files->saveAs(m_session.capture(), command.file);
        m_observer.onEvent(WrittenCheckpoint{m_session.progress().step, command.file});
    } catch (const Error& error) {
        note(NoteLevel::Error, error.what());
    }
    m_session.restartClock();
}

/// The state before the change is safe before anything else happens.
void TrainingRun::carryOut(const command::SetLearningRate& command)
{
    const double rate = command.rate;
    const std::int64_t step = m_session.progress().step;
    const double before = m_session.plan().learningRateAt(step);
    if (m_isClosing) {
        return note(NoteLevel::Warning, "the run ends: its learning rate is not changed any more");
    }
    try {
        const WatchedActivity saving(m_watch.get(), Watchdog::Activity::Save);
        RunConfig changed = m_config;
        m_session.plan().changeRate(changed, m_session.progress().step, rate);
        const bool isNew = m_files->savedStep() != step;
        const std::filesystem::path& file = m_files->keep(m_session.capture());
        if (isNew) {
            tellWatchOfCheckpoint();
            m_observer.onEvent(WrittenCheckpoint{step, file});
        }
        m_files->saveConfiguration(changed);
        m_session.setLearningRate(rate);
        m_config = changed;
        storePhases();
        tellChange(
            kLearningRateEvent,
            fmt::format(
                "the learning rate is {} instead of {} from step {} on; the state before is kept "
                "in {} (pinned)",
                rate, before, step, file.lexically_relative(folder()).string()));
    } catch (const Error& error) {
        note(NoteLevel::Error, fmt::format("the learning rate stays {}: {}", before, error.what()));
    }
    m_session.restartClock();
}

void TrainingRun::carryOut(const command::SetSteps& command)
{
    if (m_isClosing) {
        return note(
            NoteLevel::Warning,
            "the run ends: its number of steps is not changed any more; continue it with more");
    }
    RunConfig changed = m_config;
    changed.setSteps(std::max(command.steps, m_session.progress().step));
    const std::int64_t before = m_config.steps;
    try {
        m_files->saveConfiguration(changed);
        m_session.setSteps(changed.steps);
        m_config = changed;
        m_wantedSteps = changed.steps;
        storePhases();
        tellChange(
            kStepsEvent,
            fmt::format("the run goes on until step {} instead of {}", changed.steps, before));
    } catch (const Error& error) {
        note(NoteLevel::Error, fmt::format("the steps stay {}: {}", before, error.what()));
    }
    m_session.restartClock();
}

void TrainingRun::tellChange(const char* kind, const std::string& text)
{
    m_files->append(RunEvent{0.0, std::string(toString(NoteLevel::Info)), text, 0, 0, kind});
    m_observer.onEvent(Note{NoteLevel::Info, text});
    m_observer.onEvent(m_config);
}

void TrainingRun::carryOut(const command::StopAfterEpoch& command)
{
    if (!command.isWanted) {
        if (m_stopStep.exchange(-1) >= 0) {
            note(NoteLevel::Info, "the run does not stop at the end of the epoch any more");
        }
        return;
    }
    const std::int64_t size = m_session.plan().epochExamples;
    const std::int64_t batch = m_session.stepper().shape().globalBatch();
    const std::int64_t seen = m_session.progress().examplesSeen;
    // Asked for within the step that completed an epoch: that one was meant.
    const bool isEpochMade = m_session.progress().step > m_startStep && seen % size == 0;
    const std::int64_t left = isEpochMade ? 0 : size - seen % size;
    m_stopStep = m_session.progress().step + (left + batch - 1) / batch;
    note(
        NoteLevel::Info, fmt::format(
                             "the run stops after step {}, at the end of epoch {}",
                             std::int64_t{m_stopStep}, (seen + left) / size));
}

} // namespace lockstep
