// SPDX-License-Identifier: Apache-2.0
#include "session/run/training_run.h"

#include "dataset/examples/data_check.h"
#include "metrics/verdicts/step_alerts.h"
#include "ranks/ranks.h"
#include "session/config/training_phases.h"
#include "session/evaluation/open_checkpoint.h"
#include "session/events/event_recorder.h"
#include "session/run/device_sampler.h"
#include "session/run/preflight.h"
#include "session/run/run_facts.h"
#include "session/run/run_files.h"
#include "session/run/watchdog.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr std::chrono::milliseconds kBetweenReadings{1000};

/// What is trained when, whatever the learning rates.
std::vector<PhaseSettings> withoutRates(const std::vector<PhaseSettings>& phases)
{
    std::vector<PhaseSettings> merged;
    for (PhaseSettings phase : phases) {
        phase.learningRate.reset();
        if (!merged.empty() && merged.back().objective == phase.objective
            && merged.back().frozen == phase.frozen) {
            merged.back().steps += phase.steps;
        } else {
            merged.push_back(std::move(phase));
        }
    }
    return merged;
}

} // namespace

void TrainingRun::train()
{
    setState(RunState::Running);
    if (m_ranks != nullptr && m_config.alerts.stuckSeconds > 0.0) {
        m_ranks->setSilence(m_config.alerts.stuckSeconds);
    }
    try {
        const DeviceSampler sampler(
            sampledDevices(m_session.plan().devices), kBetweenReadings,
            [this](const DeviceReadingRecord& reading) {
                m_control.report(reading.device, [this, reading] { take(reading); });
            });
        check();
        begin();
        watch();
        checkDataMeanwhile();
        m_costs.begin(m_session.plan().epochExamples);
        loopOrStop();
        finish();
    } catch (const StepRefused& error) {
        setState(RunState::Failed);
        throw concluded(error, error.fault());
    } catch (const Error& error) {
        saveLastStep(error.code());
        setState(RunState::Failed);
        throw concluded(error);
    } catch (const std::bad_alloc&) {
        saveLastStep(ErrorCode::OutOfMemory);
        setState(RunState::Failed);
        throw concluded(Error(ErrorCode::OutOfMemory, "there is no memory left"));
    } catch (const std::exception& error) { // say of the system: no thread, no socket
        setState(RunState::Failed);
        throw concluded(Error(ErrorCode::Internal, error.what()));
    }
}

void TrainingRun::check()
{
    runPreflight(
        {m_config, m_session, *m_training, *m_test, *m_files, m_initial ? &*m_initial : nullptr,
         [this] { return isStopWanted(); }},
        [this](const PreflightRecord& record) {
            m_files->append(record);
            m_observer.onEvent(record);
        });
}

/// Clocks of machines drift apart by microseconds a second. Accelerators compare theirs by
/// themselves.
void TrainingRun::compareClocks()
{
    constexpr double kSecondsBetween = 20.0;
    const Stepper& stepper = m_session.stepper();
    const bool canMeet = m_ranks != nullptr && stepper.stepsAhead() == 0;
    if (m_sinceClocksMet.seconds() > kSecondsBetween
        && (canMeet || stepper.clockUncertainty() > 0.0)) {
        if (canMeet) {
            m_session.compareClocks();
        }
        m_files->append(towerClocks(m_session));
        m_sinceClocksMet.restart();
    }
}

/// The others wait for what comes next; an error is told them by whoever catches it.
void TrainingRun::releaseRanks()
{
    m_session.order({RankOrder::Kind::End});
}

void TrainingRun::begin()
{
    storeState(RunState::Running);
    if (m_files->savedStep() != m_session.progress().step) {
        save("start");
    } else if (isEvaluationLost()) {
        evaluate();
    }
    m_sinceSaved.restart();
    m_session.restartClock();
}

/// Whoever waits for data in a step, or in an evaluation, hears of a stop there.
void TrainingRun::loopOrStop()
{
    try {
        loop();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Cancelled || !isStopWanted() || m_ranks != nullptr
            || m_session.stepper().stepsAhead() > 0) {
            throw;
        }
        note(NoteLevel::Info, error.what());
    }
}

void TrainingRun::loop()
{
    while (!isDone() && mayGoOn() && !isDone()) {
        compareClocks();
        m_session.setMasksWanted(m_control.takeMaskTurn());
        record(m_session.step(horizon()));
        tellDamage();
        const bool isReached = m_session.stepper().stepsAhead() == 0;
        if (isDue(m_config.checkpointEverySteps) || (isReached && isSaveOverdue())) {
            saveOrTell("periodic");
        }
        if (isDue(m_config.evaluateEverySteps)) {
            evaluate();
        }
        if (isDone()) {
            m_control.serve(); // the number of steps among it: there may be more to do
        }
    }
}

/// Once, though every phase tries it anew.
void TrainingRun::noteCaptureFailure()
{
    if (const std::string failure = m_session.stepper().captureFailure();
        !failure.empty() && !m_isCaptureNoted) {
        m_isCaptureNoted = true;
        note(NoteLevel::Warning, failure);
    }
}

/// What links between machines, or GPUs, cost here.
void TrainingRun::noteExchanges()
{
    if (m_exchangedSteps == 0) {
        return;
    }
    const auto milliseconds = [this](double seconds) {
        return 1e3 * seconds / static_cast<double>(m_exchangedSteps);
    };
    if (!m_session.plan().devices.first().worksOnHost()) {
        m_files->append(towerClocks(m_session));
        note(
            NoteLevel::Info,
            fmt::format(
                "the GPUs exchanged gradients for {:.3f} ms a step, {:.3f} ms of it behind the "
                "backward pass; their clocks agree within {:.3f} ms",
                milliseconds(m_exchanges.underWay), milliseconds(m_exchanges.exposed),
                1e3 * m_session.stepper().clockUncertainty()));
    } else {
        note(
            NoteLevel::Info,
            fmt::format(
                "the ranks exchanged gradients for {:.2f} ms a step, {:.2f} ms of it behind the "
                "backward pass",
                milliseconds(m_exchanges.underWay), milliseconds(m_exchanges.exposed)));
    }
}

void TrainingRun::noteClipping()
{
    if (m_config.optimizer.clipNorm > 0.0 && m_madeSteps > 0) {
        note(
            NoteLevel::Info,
            fmt::format(
                "the averaged gradient was clipped to a norm of {} in {} of {} steps",
                m_config.optimizer.clipNorm, m_clippedSteps, m_madeSteps));
    }
}

void TrainingRun::record(const TrainingStep& step)
{
    const StepRecord& record = step.record;
    noteCaptureFailure();
    m_stepsDone = m_session.progress().step;
    m_files->append(record);
    m_costs.addStep(
        m_session.plan().phases[phaseAt(m_session.plan().phases, record.step)], record.stepSeconds);
    m_watch->onStep(m_stepsDone, record.stepSeconds);
    m_observer.onEvent(record);
    m_alerts->take(record);
    if (step.exchange) {
        m_exchanges.underWay += step.exchange->underWay;
        m_exchanges.exposed += step.exchange->exposed;
        ++m_exchangedSteps;
    }
    ++m_madeSteps;
    m_clippedSteps += step.gradientNorm > m_config.optimizer.clipNorm ? 1 : 0;
    if (step.gradients) {
        take(*step.gradients);
    }
    if (step.masks) {
        const auto masks = std::make_shared<const MaskRecord>(*step.masks);
        m_control.keepMasks(masks);
        m_observer.onEvent(masks);
    }
    if (m_events && m_events->isDue(record.step)) {
        recordEvents([&] { m_events->record(record); });
        m_session.restartClock();
    }
}

std::int64_t TrainingRun::endStep() const
{
    const std::int64_t stop = m_stopStep;
    return stop < 0 ? m_config.steps : std::min(m_config.steps, stop);
}

bool TrainingRun::isOutOfPatience() const
{
    return m_config.stopPatience > 0 && m_files->evaluationsSinceBest() >= m_config.stopPatience;
}

void TrainingRun::finish()
{
    m_isClosing = true;
    const bool isComplete = m_session.progress().step >= m_config.steps || isOutOfPatience();
    if (m_files->savedStep() != m_session.progress().step) {
        save("end");
    }
    m_control.serve(); // what was asked for meanwhile
    if (isComplete && m_config.evaluateAtEnd && m_evaluatedStep != m_session.progress().step) {
        evaluate();
    }
    m_watch.reset();
    m_dataCheck.reset();
    recordEvents([&] {
        if (m_events) {
            m_events->flush();
        }
    });
    m_control.serveReports();
    if (m_ranks == nullptr) {
        m_costs.keep();
    }
    releaseRanks();
    noteExchanges();
    noteClipping();
    noteExperiment();
    const std::int64_t step = m_session.progress().step;
    if (isOutOfPatience()) {
        note(
            NoteLevel::Info,
            fmt::format(
                "no evaluation was better than that at step {}, {} in a row: the run ends "
                "(stop.patience)",
                m_files->topStep(), m_files->evaluationsSinceBest()));
    }
    note(
        NoteLevel::Info, isComplete ? fmt::format("finished at step {}", step)
                                    : fmt::format("stopped at step {}", step));
    const RunState state = isComplete ? RunState::Finished : RunState::Stopped;
    storeState(state);
    m_files->close();
    setState(state);
}

std::int64_t TrainingRun::horizon() const
{
    const std::int64_t next = m_session.progress().step;
    if (m_control.isAttentionWanted() || isSaveOverdue()) {
        return next + 1;
    }
    std::int64_t limit = endStep();
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
    return everySteps > 0 && m_session.progress().step % everySteps == 0;
}

/// The run ended in the midst of it, behind the checkpoint that it goes on from.
bool TrainingRun::isEvaluationLost() const
{
    const std::int64_t step = m_session.progress().step;
    return step > 0 && isDue(m_config.evaluateEverySteps)
           && std::ranges::none_of(m_files->pastEvaluations(), [step](const auto& evaluation) {
                  return evaluation.step == step && evaluation.weights == WeightsKind::Average;
              });
}

bool TrainingRun::isSaveOverdue() const
{
    constexpr double kSecondsOfMinute = 60.0;
    const double most = kSecondsOfMinute * m_config.checkpointEveryMinutes;
    return most > 0.0 && m_sinceSaved.seconds() > most;
}

void TrainingRun::save(const char* reason)
{
    const WatchedActivity saving(m_watch.get(), Watchdog::Activity::Save);
    const std::filesystem::path& file = m_files->save(m_session.capture(), reason);
    tellWatchOfCheckpoint();
    m_observer.onEvent(WrittenCheckpoint{m_session.progress().step, file});
    m_sinceSaved.restart();
    m_session.restartClock();
}

/// A disk that is full or away for a while does not end a training; the next checkpoint tries anew.
void TrainingRun::saveOrTell(const char* reason)
{
    try {
        save(reason);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Io) {
            throw;
        }
        note(
            NoteLevel::Error,
            fmt::format(
                "the run goes on, but its checkpoint of step {} was not completed: {}",
                m_session.progress().step, error.what()));
        m_sinceSaved.restart();
        m_session.restartClock();
    }
}

void TrainingRun::evaluate()
{
    const WatchedActivity evaluating(m_watch.get(), Watchdog::Activity::Other);
    m_session.stepper().arena().roundOperands();
    evaluate(WeightsKind::Raw);
    evaluate(WeightsKind::Average);
    tellDamage();
    m_evaluatedStep = m_session.progress().step;
    if (m_files->isUnsavedBest(m_evaluatedStep)) {
        saveOrTell("best");
    }
    m_session.restartClock();
}

void TrainingRun::evaluate(WeightsKind kind)
{
    const ParameterArena& arena = m_session.stepper().arena();
    ThreadTeam& threads = m_session.stepper().threads();
    const int workers = m_config.evaluateTowers == 0
                            ? threads.size()
                            : m_config.evaluateTowers * m_config.threadsPerTower.number;
    EvaluatedExamples told{0, m_test->size()};
    const auto tell = [&](double share) {
        const std::int64_t done = std::llround(share * static_cast<double>(told.all));
        if (100 * done >= 100 * told.done + told.all) { // a percent more
            told.done = done;
            m_observer.onEvent(told);
        }
        return true;
    };
    m_session.order({.kind = RankOrder::Kind::Evaluate, .number = static_cast<std::int64_t>(kind)});
    EvaluationRecord record = m_evaluation->run(
        threads, workers,
        kind == WeightsKind::Raw ? arena.weightsView() : arena.movingAverageView(), tell);
    record.step = m_session.progress().step;
    record.weights = kind;
    m_costs.addEvaluation(record.seconds);
    m_files->append(record);
    recordEvents([&] {
        if (m_events) {
            m_events->record(record);
        }
    });
    m_observer.onEvent(record);
}

/// A training goes on without them where they can't be written.
void TrainingRun::recordEvents(const std::function<void()>& record)
{
    try {
        record();
    } catch (const std::exception& error) {
        m_events.reset();
        note(
            NoteLevel::Warning,
            fmt::format("{}: nothing more is recorded for TensorBoard", error.what()));
    }
}

void TrainingRun::note(NoteLevel level, const std::string& text)
{
    m_files->append(RunEvent{0.0, std::string(toString(level)), text});
    m_observer.onEvent(Note{level, text});
}

void TrainingRun::take(DeviceReadingRecord reading)
{
    reading.step = m_session.progress().step;
    if (m_ranks != nullptr) {
        reading.device = m_session.placeOn(reading.device);
    }
    m_files->append(reading);
    m_observer.onEvent(reading);
}

void TrainingRun::take(const GradientRecord& gradients)
{
    m_files->append(gradients);
    m_alerts->take(gradientAgreement(gradients));
    if (m_events) {
        m_events->take(gradients);
    }
    m_observer.onEvent(gradients);
}

void TrainingRun::setState(RunState state)
{
    m_state = state;
    m_observer.onEvent(state);
}

void TrainingRun::storeState(RunState state)
{
    m_files->append(RunValue{kRunStateFact, std::string(toString(state))});
}

void TrainingRun::storePhases()
{
    m_files->append(RunPhases{m_session.plan().phases});
}

RunConfig configOfRun(const std::filesystem::path& folder)
{
    RunConfig config;
    parseConfig(
        config, RunFolder::configurationOf(folder),
        RunFolder::configurationFileOf(folder).string());
    followMovedModel(config, folder);
    return config;
}

RunConfig configToContinue(const std::filesystem::path& folder, const RunConfig& ofCheckpoint)
{
    RunConfig config = configOfRun(folder);
    config.learningRate = ofCheckpoint.learningRate;
    RunConfig then = ofCheckpoint;
    then.setSteps(config.steps);
    if (withoutRates(then.phases) == withoutRates(config.phases)) {
        config.phases = then.phases;
    }
    return config;
}

} // namespace lockstep
