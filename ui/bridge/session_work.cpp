// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session_work.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::chrono::milliseconds kLookForWriterEvery{1000};
/// One that does not come to an end, say on a share that is gone, must not keep the next waiting.
constexpr int kMostReaders = 4;

/// A fast run measures them hundreds of times a second, which nobody can read.
constexpr std::chrono::milliseconds kGradientRest{480};

} // namespace

SessionWork::SessionWork(SessionController& controller)
    : m_controller(controller), m_opened(controller)
{
    m_readers.setMaxThreadCount(kMostReaders);
    const auto tell = [&](auto from, auto to) { QObject::connect(&m_pump, from, &controller, to); };
    tell(&TelemetryPump::stepsArrived, &SessionController::stepsArrived);
    tell(&TelemetryPump::stepsLost, [this](qint64 first, qint64 end, const QString& reason) {
        onStepsLost(first, end, reason);
    });
    tell(&TelemetryPump::drained, [this] { conclude(); });
    QObject::connect(&m_watch, &QTimer::timeout, &controller, [this] { lookForWriter(); });
    m_watch.start(kLookForWriterEvery);
    m_gradientRest.setSingleShot(true);
    QObject::connect(&m_gradientRest, &QTimer::timeout, &controller, [this] { takeGradients(); });
}

SessionWork::~SessionWork()
{
    m_engine.reset(); // pushes into the pump to its end
    abandonOpening();
}

void SessionWork::start(const RunRequest& request)
{
    abandonOpening();
    m_left = m_state == State::Following ? std::optional(m_plan.folder) : std::nullopt;
    m_engine.reset(); // of the run before: its thread has ended
    leave();
    m_isPlanned = false;
    try {
        m_engine = std::make_unique<EngineThread>(request, m_pump, m_controller, *this);
        m_engine->wantMasks(m_areMasksWanted);
        setState(State::Preparing);
    } catch (const std::system_error& error) { // no more threads
        concludeTraining({RunState::Failed, QString::fromLocal8Bit(error.what())});
    }
}

/// What a run of our own refuses is told like what another process refuses.
void SessionWork::send(const RunCommand& command)
{
    if (m_remote) {
        return m_remote->send(command);
    }
    try {
        m_engine->send(command);
    } catch (const Error& error) {
        emit m_controller.noteArrived(QString::fromUtf8(error.what()), true);
    }
    update();
}

std::int64_t SessionWork::stopStep() const
{
    const auto status = m_remote || !m_engine ? m_status : m_engine->status();
    return status ? status->stopStep : -1;
}

void SessionWork::onPlanned(const RunPlan& plan)
{
    m_isPlanned = true;
    show(plan);
    update();
}

void SessionWork::show(const RunPlan& plan)
{
    m_plan = plan;
    m_pump.begin(plan.storeFile, plan.firstStep, plan.nextStep);
    emit m_controller.started(plan.folder, plan.config);
    emit m_controller.towersPlaced(plan.towers);
    if (!plan.history.empty()) {
        emit m_controller.historyArrived(plan.history);
    }
    for (const EvaluationRecord& record : plan.evaluations) {
        emit m_controller.evaluationArrived(record);
    }
    if (!plan.gradients.empty()) {
        emit m_controller.gradientsArrived(plan.gradients);
    }
    for (const DeviceReadingRecord& record : plan.readings) {
        emit m_controller.deviceReadingArrived(record);
    }
}

void SessionWork::onEngineState()
{
    m_pump.flush();
    takeGradients();
    update();
}

void SessionWork::onEvaluation(const EvaluationRecord& record)
{
    m_pump.flush(); // the steps before it first
    emit m_controller.evaluationArrived(record);
}

void SessionWork::onGradientsWait()
{
    if (!m_gradientRest.isActive()) {
        m_gradientRest.start(kGradientRest);
    }
}

void SessionWork::takeGradients()
{
    const std::vector<GradientRecord> records =
        m_engine ? m_engine->takeGradients() : std::vector<GradientRecord>();
    if (!records.empty()) {
        onGradients(records);
    }
}

void SessionWork::onGradients(const std::vector<GradientRecord>& records)
{
    emit m_controller.gradientsArrived(records);
}

void SessionWork::wantMasks(bool areWanted)
{
    m_areMasksWanted = areWanted;
    if (m_engine) {
        m_engine->wantMasks(areWanted);
    }
}

void SessionWork::onMasks(const std::shared_ptr<const MaskRecord>& record)
{
    emit m_controller.masksArrived(record);
}

void SessionWork::onDeviceReading(const DeviceReadingRecord& record)
{
    emit m_controller.deviceReadingArrived(record);
}

void SessionWork::onCheckpoint(std::int64_t step, const std::filesystem::path& file)
{
    m_pump.flush();
    emit m_controller.checkpointWritten(step, file);
}

void SessionWork::onAlert(const AlertRecord& alert)
{
    m_pump.flush(); // the steps that it is about first
    emit m_controller.alertArrived(alert);
}

void SessionWork::onConfig(const RunConfig& config)
{
    m_pump.flush();
    m_plan.config = config;
    emit m_controller.configChanged(config);
}

void SessionWork::onPreflight(const PreflightRecord& record)
{
    emit m_controller.preflightArrived(record);
}

void SessionWork::onNote(const QString& text, bool isWarning)
{
    emit m_controller.noteArrived(text, isWarning);
}

void SessionWork::onStepsLost(qint64 first, qint64 end, const QString& reason)
{
    emit m_controller.noteArrived(
        SessionController::tr("Steps %L1 to %L2 are missing from the charts: %3")
            .arg(first)
            .arg(end - 1)
            .arg(reason),
        true);
}

void SessionWork::onEnded(const RunOutcome& outcome)
{
    if (m_isPlanned) {
        takeGradients();
        m_outcome = outcome;
        m_pump.finish(outcome.endStep);
    } else {
        concludeTraining(outcome);
    }
}

/// All steps have been handed out.
void SessionWork::conclude()
{
    if (const auto outcome = std::exchange(m_outcome, std::nullopt)) {
        concludeTraining(*outcome);
    }
    if (const auto end = std::exchange(m_followedEnd, std::nullopt)) {
        m_plan.writer.reset();
        m_plan.recordedState = end->state;
        setState(State::Idle);
        emit m_controller.followingEnded(*end);
    }
}

void SessionWork::concludeTraining(const RunOutcome& outcome)
{
    switch (outcome.state) {
    case RunState::Finished:
        return setState(State::Finished);
    case RunState::Stopped:
        return setState(State::Stopped);
    default:
        break;
    }
    setState(State::Failed);
    emit m_controller.failed(outcome.error);
    if (!m_isPlanned && m_left) {
        open(*m_left); // it did not come to anything: back to what was watched
    }
}

SessionWork::State SessionWork::busyState() const
{
    if (m_engine->isStopWanted()) {
        return State::Stopping;
    }
    if (!m_isPlanned) {
        return State::Preparing;
    }
    if (!m_engine->isPauseWanted()) {
        return State::Running;
    }
    const auto status = m_engine->status();
    return status && status->state == RunState::Paused ? State::Paused : State::Pausing;
}

void SessionWork::update()
{
    if (!m_controller.isBusy()) {
        return;
    }
    const State next = busyState();
    if (next == State::Paused && m_state != next) {
        m_pump.flush(); // nothing arrives any more once it is Paused
        takeGradients();
    }
    setState(next);
}

void SessionWork::setState(State next)
{
    if (std::exchange(m_state, next) != next) {
        emit m_controller.stateChanged(next);
    }
}

} // namespace lockstep::ui
