// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session_controller.h"

#include "bridge/engine_thread.h"
#include "bridge/stored_run.h"
#include "bridge/telemetry_pump.h"

#include <optional>
#include <system_error>
#include <utility>

namespace lockstep::ui {

using State = SessionController::State;

/// The state machine. What a person wants (to pause, to stop) is set by commands, what the engine
/// does is asked of the engine whenever it says that this changed, and the state follows from the
/// two: so a report that was overtaken by a command on its way can't mislead.
class SessionController::Private : public EngineListener
{
public:
    explicit Private(SessionController& controller);
    ~Private() override;

    void open(const std::filesystem::path& run);
    void start(const RunRequest& request);
    void setPauseWanted(bool isWanted);
    void stop();

    void onPlanned(const RunPlan& plan) override;
    void onEngineState() override;
    void onEvaluation(const EvaluationRecord& record) override;
    void onDeviceReading(const DeviceReadingRecord& record) override;
    void onCheckpoint(std::int64_t step, const std::filesystem::path& file) override;
    void onNote(const QString& text, bool isWarning) override;
    void onEnded(const RunOutcome& outcome) override;

    State state = State::Idle;
    std::filesystem::path folder;
    RunConfig config;
    std::int64_t firstNewStep = 0;
    // Before the pump goes, and its thread with it: see ~SessionController.
    std::unique_ptr<EngineThread> engine;

private:
    void tell(const RunPlan& plan);
    void onRead(const RunPlan& plan);
    void conclude();
    void update();
    void setState(State next);
    [[nodiscard]] State busyState() const;
    void onStepsLost(qint64 first, qint64 end, const QString& reason);

    SessionController& m_controller;
    TelemetryPump m_pump;
    bool m_isPlanned = false;
    bool m_isPauseWanted = false;
    bool m_isStopWanted = false;
    RunOutcome m_outcome;
    std::thread m_reader; // of open()
    int m_openings = 0;   // so that what an earlier reader found late is not taken
};

SessionController::Private::Private(SessionController& controller) : m_controller(controller)
{
    connect(&m_pump, &TelemetryPump::stepsArrived, &controller, &SessionController::stepsArrived);
    connect(
        &m_pump, &TelemetryPump::stepsLost, &controller,
        [this](qint64 first, qint64 end, const QString& reason) {
            onStepsLost(first, end, reason);
        });
    connect(&m_pump, &TelemetryPump::drained, &controller, [this] { conclude(); });
}

SessionController::Private::~Private()
{
    if (m_reader.joinable()) {
        m_reader.join();
    }
}

void SessionController::Private::open(const std::filesystem::path& run)
{
    if (m_reader.joinable()) {
        m_reader.join(); // a matter of milliseconds
    }
    m_reader = std::thread([this, run, opening = ++m_openings] {
        const auto post = [&](auto function) {
            QMetaObject::invokeMethod(
                &m_controller,
                [this, opening, function] {
                    if (opening == m_openings) {
                        function();
                    }
                },
                Qt::QueuedConnection);
        };
        try {
            post([this, plan = readStoredRun(run)] { onRead(plan); });
        } catch (const std::exception& error) {
            post([this, text = QString::fromStdString(error.what())] {
                emit m_controller.openingFailed(text);
            });
        }
    });
}

void SessionController::Private::onRead(const RunPlan& plan)
{
    setState(State::Idle);
    tell(plan);
    m_outcome = {RunState::Ready, {}, plan.nextStep};
    m_pump.finish(plan.nextStep);
}

void SessionController::Private::start(const RunRequest& request)
{
    ++m_openings;
    m_isPlanned = m_isPauseWanted = m_isStopWanted = false;
    engine.reset(); // of the run before: its thread has ended
    try {
        engine = std::make_unique<EngineThread>(request, m_pump, m_controller, *this);
        setState(State::Preparing);
    } catch (const std::system_error& error) { // no more threads
        m_outcome = {RunState::Failed, QString::fromLocal8Bit(error.what())};
        conclude();
    }
}

void SessionController::Private::setPauseWanted(bool isWanted)
{
    m_isPauseWanted = isWanted;
    isWanted ? engine->pause() : engine->resume();
    update();
}

void SessionController::Private::stop()
{
    m_isStopWanted = true;
    engine->stop();
    update();
}

void SessionController::Private::onPlanned(const RunPlan& plan)
{
    m_isPlanned = true;
    tell(plan);
    update();
}

void SessionController::Private::tell(const RunPlan& plan)
{
    folder = plan.folder;
    config = plan.config;
    firstNewStep = plan.nextStep;
    m_pump.begin(plan.storeFile, plan.firstStep, plan.nextStep);
    emit m_controller.started(folder, config);
    emit m_controller.towersPlaced(plan.towers);
    for (const EvaluationRecord& record : plan.evaluations) {
        emit m_controller.evaluationArrived(record);
    }
    for (const DeviceReadingRecord& record : plan.readings) {
        emit m_controller.deviceReadingArrived(record);
    }
}

void SessionController::Private::onEngineState()
{
    m_pump.flush(); // nothing arrives any more once it is Paused
    update();
}

void SessionController::Private::onEvaluation(const EvaluationRecord& record)
{
    m_pump.flush(); // the steps before it first
    emit m_controller.evaluationArrived(record);
}

void SessionController::Private::onDeviceReading(const DeviceReadingRecord& record)
{
    emit m_controller.deviceReadingArrived(record);
}

void SessionController::Private::onCheckpoint(std::int64_t step, const std::filesystem::path& file)
{
    m_pump.flush();
    emit m_controller.checkpointWritten(step, file);
}

void SessionController::Private::onNote(const QString& text, bool isWarning)
{
    emit m_controller.noteArrived(text, isWarning);
}

void SessionController::Private::onStepsLost(qint64 first, qint64 end, const QString& reason)
{
    emit m_controller.noteArrived(
        SessionController::tr("Steps %L1 to %L2 are missing from the charts: %3")
            .arg(first)
            .arg(end - 1)
            .arg(reason),
        true);
}

void SessionController::Private::onEnded(const RunOutcome& outcome)
{
    m_outcome = outcome;
    if (m_isPlanned) {
        m_pump.finish(outcome.endStep);
    } else {
        conclude();
    }
}

void SessionController::Private::conclude()
{
    switch (m_outcome.state) {
    case RunState::Ready: // it was only shown
        return;
    case RunState::Finished:
        return setState(State::Finished);
    case RunState::Stopped:
        return setState(State::Stopped);
    default:
        setState(State::Failed);
        emit m_controller.failed(m_outcome.error);
    }
}

State SessionController::Private::busyState() const
{
    if (m_isStopWanted) {
        return State::Stopping;
    }
    if (!m_isPlanned) {
        return State::Preparing;
    }
    if (!m_isPauseWanted) {
        return State::Running;
    }
    return engine->engineState() == RunState::Paused ? State::Paused : State::Pausing;
}

void SessionController::Private::update()
{
    if (m_controller.isBusy()) {
        setState(busyState());
    }
}

void SessionController::Private::setState(State next)
{
    if (std::exchange(state, next) != next) {
        emit m_controller.stateChanged(next);
    }
}

SessionController::SessionController(QObject* parent)
    : QObject(parent), m_private(std::make_unique<Private>(*this))
{
}

SessionController::~SessionController()
{
    m_private->engine.reset();
}

State SessionController::state() const
{
    return m_private->state;
}

bool SessionController::isBusy() const
{
    return state() >= State::Preparing && state() <= State::Stopping;
}

bool SessionController::canStart() const
{
    return !isBusy();
}

bool SessionController::canPause() const
{
    return state() == State::Running;
}

bool SessionController::canResume() const
{
    return state() == State::Pausing || state() == State::Paused;
}

bool SessionController::canStepOnce() const
{
    return state() == State::Paused;
}

bool SessionController::canStop() const
{
    return isBusy() && state() != State::Stopping;
}

bool SessionController::canSave() const
{
    return canPause() || canResume();
}

std::filesystem::path SessionController::runFolder() const
{
    return m_private->folder;
}

std::int64_t SessionController::firstNewStep() const
{
    return m_private->firstNewStep;
}

const RunConfig& SessionController::config() const
{
    return m_private->config;
}

void SessionController::open(const std::filesystem::path& folder)
{
    if (canStart()) {
        m_private->open(folder);
    } else {
        emit noteArrived(tr("A run is going on: stop it before another is opened."), true);
    }
}

void SessionController::start(const RunRequest& request)
{
    if (canStart()) {
        m_private->start(request);
    } else {
        emit noteArrived(tr("A run is going on: stop it before another is started."), true);
    }
}

void SessionController::pause()
{
    if (canPause()) {
        m_private->setPauseWanted(true);
    }
}

void SessionController::resume()
{
    if (canResume()) {
        m_private->setPauseWanted(false);
    }
}

void SessionController::stepOnce()
{
    if (canStepOnce()) {
        m_private->engine->stepOnce();
    }
}

void SessionController::stop()
{
    if (canStop()) {
        m_private->stop();
    }
}

void SessionController::saveCheckpoint()
{
    if (canSave()) {
        m_private->engine->requestCheckpoint();
    }
}

void SessionController::saveCheckpointAs(const std::filesystem::path& file)
{
    if (canSave()) {
        m_private->engine->requestCheckpoint(file);
    }
}

void SessionController::evaluate()
{
    if (canSave()) {
        m_private->engine->requestEvaluation();
    }
}

} // namespace lockstep::ui
