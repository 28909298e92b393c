// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session_controller.h"

#include "bridge/session_work.h"
#include "engine/run.h"

namespace lockstep::ui {

SessionController::SessionController(QObject* parent)
    : QObject(parent), m_work(std::make_unique<SessionWork>(*this))
{
}

SessionController::~SessionController() = default;

SessionController::State SessionController::state() const
{
    return m_work->state();
}

bool SessionController::isBusy() const
{
    return state() >= State::Preparing && state() <= State::Stopping;
}

bool SessionController::canStart() const
{
    return !isBusy();
}

bool SessionController::can(const RunCommand& command) const
{
    const bool isRunning = state() == State::Running || m_work->isWriter(RunState::Running);
    const bool isPaused = state() == State::Paused || m_work->isWriter(RunState::Paused);
    const bool isPausing = isPaused || state() == State::Pausing;
    return std::visit(
        Overloaded{
            [&](const command::Pause&) { return isRunning; },
            [&](const command::Resume&) { return isPausing; },
            [&](const command::StepOnce&) { return isPaused; },
            [&](const command::Stop&) {
                return (isBusy() && state() != State::Stopping) || writerStatus().has_value();
            },
            [&](const command::SaveCheckpointAs&) { return isBusy() && (isRunning || isPausing); },
            [&](const auto& /*others*/) { return isRunning || isPausing; }},
        command);
}

std::filesystem::path SessionController::runFolder() const
{
    return m_work->plan().folder;
}

std::int64_t SessionController::firstNewStep() const
{
    return m_work->plan().nextStep;
}

const RunConfig& SessionController::config() const
{
    return m_work->plan().config;
}

const std::vector<std::string>& SessionController::objectives() const
{
    return m_work->plan().objectives;
}

std::int64_t SessionController::stopStep() const
{
    return m_work->stopStep();
}

int SessionController::writer() const
{
    return m_work->plan().writer.value_or(0);
}

const std::optional<RunStatus>& SessionController::writerStatus() const
{
    return m_work->writerStatus();
}

std::optional<RunState> SessionController::recordedState() const
{
    const RunPlan& plan = m_work->plan();
    return state() == State::Idle && !plan.writer ? plan.recordedState : std::nullopt;
}

bool SessionController::endedUnexpectedly() const
{
    return recordedState() == RunState::Running;
}

void SessionController::open(const std::filesystem::path& folder)
{
    if (canStart()) {
        m_work->open(folder);
    } else {
        emit noteArrived(tr("A run is going on: stop it before another is opened."), true);
    }
}

void SessionController::close()
{
    if (canStart()) {
        m_work->close();
    }
}

void SessionController::start(const RunRequest& request)
{
    if (canStart()) {
        m_work->start(request);
    } else {
        emit noteArrived(tr("A run is going on: stop it before another is started."), true);
    }
}

void SessionController::send(const RunCommand& command)
{
    if (can(command)) {
        m_work->send(command);
    }
}

void SessionController::wantMasks(bool areWanted)
{
    m_work->wantMasks(areWanted);
}

} // namespace lockstep::ui
