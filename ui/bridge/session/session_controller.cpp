// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/session_controller.h"

#include "bridge/session/engine_thread.h"
#include "bridge/session/run_follower.h"
#include "bridge/telemetry/stored_run.h"
#include "engine/base.h"
#include "models/engine_text.h"

#include <QCoreApplication>

#include <chrono>
#include <exception>
#include <variant>

namespace lockstep::ui {
namespace {

constexpr std::chrono::milliseconds kLookForWriterEvery{1000};

} // namespace

SessionController::SessionController(QObject* parent) : QObject(parent), m_reader(*this)
{
    connect(&m_feed, &RunFeed::drained, this, &SessionController::conclude);
    connect(&m_watch, &QTimer::timeout, this, &SessionController::lookForWriter);
    m_watch.start(kLookForWriterEvery);
}

SessionController::~SessionController()
{
    m_engine.reset(); // pushes into the feed to its end
    m_reader.abandon();
}

/// What is on its way of one that is gone never arrives.
SessionListener SessionController::listener()
{
    return [this, mailbox = std::make_shared<const Mailbox>(*this)](SessionEvent event) {
        mailbox->post([this, event = std::move(event)] {
            std::visit([this](const auto& told) { on(told); }, event);
        });
    };
}

bool SessionController::can(const RunCommand& command) const
{
    if (!isBusy() && !m_plan.recordedBy.isEmpty()) {
        return false;
    }
    const auto writer = m_writerStatus ? m_writerStatus->state : std::optional<RunState>();
    const bool isRunning = m_state == State::Running || writer == RunState::Running;
    const bool isPaused = m_state == State::Paused || writer == RunState::Paused;
    const bool isPausing = isPaused || m_state == State::Pausing;
    return std::visit(
        Overloaded{
            [&](const command::Pause&) { return isRunning; },
            [&](const command::Resume&) { return isPausing; },
            [&](const command::StepOnce&) { return isPaused; },
            [&](const command::Stop&) {
                return (isBusy() && m_state != State::Stopping) || m_writerStatus.has_value();
            },
            [&](const command::SaveCheckpointAs&) { return isBusy() && (isRunning || isPausing); },
            [&](const auto& /*others*/) { return isRunning || isPausing; }},
        command);
}

std::int64_t SessionController::stopStep() const
{
    const auto status = m_remote || !m_engine ? m_writerStatus : m_engine->status();
    return status ? status->stopStep : -1;
}

std::shared_ptr<RemoteMachine> SessionController::machineOf(
    const std::filesystem::path& folder) const
{
    return m_machine && !m_machine->runOf(folder).empty() ? m_machine : nullptr;
}

std::optional<RunState> SessionController::recordedState() const
{
    return m_state == State::Idle && !m_plan.writer ? m_plan.recordedState : std::nullopt;
}

/// Makes room for a run and begins it, unless another one goes on here.
void SessionController::prepare(const std::function<void()>& begin)
{
    if (!canStart()) {
        emit m_feed.noteArrived(tr("A run is going on: stop it before another is started."), true);
        return;
    }
    m_reader.abandon();
    m_left = m_state == State::Following ? std::optional(m_plan.folder) : std::nullopt;
    m_engine.reset(); // of the run before: its thread has ended
    leave();
    m_gathering.reset();
    m_isPlanned = false;
    m_launched.reset();
    try {
        begin();
        setState(State::Preparing);
    } catch (const std::exception& error) { // no more threads or processes
        concludeTraining({.error = engineText(error.what())});
    }
}

void SessionController::start(const RunRequest& request)
{
    prepare([&] {
        m_engine = std::make_unique<EngineThread>(request, m_feed, listener());
        m_engine->wantMasks(m_areMasksWanted);
    });
}

void SessionController::launch(const RunRequest& request)
{
    prepare([&] { m_launcher = std::make_unique<RunLauncher>(request, listener()); });
}

void SessionController::open(const std::filesystem::path& folder)
{
    if (canStart()) {
        readToShow(folder);
    } else {
        emit m_feed.noteArrived(tr("A run is going on: stop it before another is opened."), true);
    }
}

void SessionController::readToShow(const std::filesystem::path& run)
{
    m_reader.read(
        run, [this](const RunPlan& plan) { onRead(plan); },
        [this](const QString& text) {
            m_launcher ? concludeTraining({.error = text}) : emit openingFailed(text);
        });
}

void SessionController::onRead(const RunPlan& plan)
{
    const bool isLaunched = m_launcher != nullptr; // and perhaps over already
    m_isPlanned |= isLaunched;
    leave();
    const bool isFollowed = plan.writer || isLaunched;
    setState(isFollowed ? State::Following : State::Idle);
    if (plan.gathering || plan.folder != m_plan.folder) {
        m_gathering = plan.gathering;
    }
    m_plan = plan;
    m_plan.gathering.reset();
    m_feed.begin(plan);
    if (isFollowed) {
        m_follower = std::make_unique<RunFollower>(m_plan, m_feed, listener());
        if (plan.recordedBy.isEmpty()) { // else its writer trains nothing
            m_remote = std::make_unique<RemoteControl>(m_plan.folder, listener());
            m_remote->wantMasks(m_areMasksWanted);
        }
        emit writerChanged();
    } else {
        m_feed.finish(plan.nextStep);
    }
}

/// The shown run that nobody trained may be gone on with elsewhere: then it is followed.
void SessionController::lookForWriter()
{
    if (isBusy() || m_reader.isReading() || m_state == State::Following || m_plan.folder.empty()) {
        return;
    }
    const bool isRecorded = !m_plan.recordedBy.isEmpty();
    const auto writer = RunLock::writerOf(m_plan.folder);
    // This process stands for the one that trains a run of another machine, or that is recorded.
    const bool isOther = writer != static_cast<int>(QCoreApplication::applicationPid());
    if ((writer && (isOther || machineOf(m_plan.folder) || isRecorded))
        || (!writer && isRecorded && RunGathering::hasMore(m_plan.folder))) {
        // It may still be making its files; the next look is a second away.
        m_reader.read(
            m_plan.folder, [this](const RunPlan& plan) { onRead(plan); },
            [](const QString& /*error*/) {});
    }
}

/// Nothing more comes of what is shown.
void SessionController::leave()
{
    m_launcher.reset();
    m_follower.reset();
    m_remote.reset();
    m_writerStatus.reset();
    m_outcome.reset();
    m_followedEnd.reset();
    m_feed.reset();
}

void SessionController::close()
{
    if (canStart()) {
        m_reader.abandon();
        leave();
        m_gathering.reset();
        m_plan = RunPlan();
        setState(State::Idle);
    }
}

/// What a run of our own refuses is told like what another process refuses.
void SessionController::send(const RunCommand& command)
{
    if (!can(command)) {
        return;
    }
    if (m_remote) {
        return m_remote->send(command);
    }
    if (m_launcher) { // can() lets nothing but a stop through
        m_launcher->cancel();
        return setState(State::Stopping);
    }
    try {
        m_engine->send(command);
    } catch (const Error& error) {
        emit m_feed.noteArrived(engineText(error.what()), true);
    }
    update();
}

void SessionController::wantMasks(bool areWanted)
{
    m_areMasksWanted = areWanted;
    if (m_engine) {
        m_engine->wantMasks(areWanted);
    }
    if (m_remote) {
        m_remote->wantMasks(areWanted);
    }
}

void SessionController::on(const RunPlan& plan)
{
    m_isPlanned = true;
    m_plan = plan;
    m_feed.begin(plan);
    update();
}

void SessionController::on(const TrainingEvent& event)
{
    if (const auto* const config = std::get_if<RunConfig>(&event)) {
        m_plan.config = *config;
    }
    m_feed.take(event);
    if (std::holds_alternative<RunState>(event)) {
        update();
    }
}

void SessionController::on(const RunOutcome& outcome)
{
    if (m_isPlanned) {
        m_outcome = outcome;
        m_feed.finish(outcome.endStep);
    } else {
        concludeTraining(outcome);
    }
}

void SessionController::on(const RunLaunched& event)
{
    m_launched = event.folder;
    readToShow(event.folder);
}

void SessionController::on(const RunBranched& /*event*/)
{
    m_follower.reset();
    readToShow(m_plan.folder);
}

void SessionController::on(const FollowedEnd& end)
{
    m_follower.reset();
    m_remote.reset();
    m_writerStatus.reset();
    if (const QString error = m_gathering ? m_gathering->takeError() : QString();
        !error.isEmpty()) {
        emit m_feed.noteArrived(error, true);
    }
    m_gathering.reset();
    m_followedEnd = end;
    m_feed.finish(end.endStep);
}

void SessionController::on(const WriterAnswer& answer)
{
    m_writerStatus = answer.status;
    emit writerChanged();
}

/// All steps have been handed out.
void SessionController::conclude()
{
    if (const auto outcome = std::exchange(m_outcome, std::nullopt)) {
        concludeTraining(*outcome);
    }
    if (const auto end = std::exchange(m_followedEnd, std::nullopt)) {
        m_plan.writer.reset();
        m_plan.recordedState = end->state;
        const bool isOwn = std::exchange(m_launched, std::nullopt) == m_plan.folder;
        if (isOwn && end->state != RunState::Running) {
            return concludeTraining(*end);
        }
        setState(State::Idle);
        emit followingEnded(*end);
    }
}

void SessionController::concludeTraining(const RunOutcome& outcome)
{
    m_launcher.reset();
    setState(
        outcome.state == RunState::Finished  ? State::Finished
        : outcome.state == RunState::Stopped ? State::Stopped
                                             : State::Failed);
    if (outcome.state == RunState::Failed) {
        emit failed(outcome.error);
    }
    if (!m_isPlanned && m_left) {
        readToShow(*m_left); // it did not come to anything: back to what was watched
    }
}

SessionController::State SessionController::busyState() const
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

void SessionController::update()
{
    if (!isBusy()) {
        return;
    }
    const State next = busyState();
    if (next == State::Paused && m_state != next) {
        m_feed.flush(); // nothing arrives any more once it is Paused
    }
    setState(next);
}

void SessionController::setState(State next)
{
    if (std::exchange(m_state, next) != next) {
        emit stateChanged(next);
    }
}

} // namespace lockstep::ui
