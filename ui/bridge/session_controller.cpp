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

bool SessionController::canPause() const
{
    return state() == State::Running || m_work->isWriter(RunState::Running);
}

bool SessionController::canResume() const
{
    return state() == State::Pausing || canStepOnce();
}

bool SessionController::canStepOnce() const
{
    return state() == State::Paused || m_work->isWriter(RunState::Paused);
}

bool SessionController::canStop() const
{
    return (isBusy() && state() != State::Stopping) || m_work->isWriterAnswering();
}

bool SessionController::canSave() const
{
    return canPause() || canResume();
}

bool SessionController::canSaveAs() const
{
    return canSave() && isBusy();
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

void SessionController::pause()
{
    if (canPause()) {
        m_work->setPauseWanted(true);
    }
}

void SessionController::resume()
{
    if (canResume()) {
        m_work->setPauseWanted(false);
    }
}

void SessionController::stepOnce()
{
    if (canStepOnce()) {
        m_work->stepOnce();
    }
}

void SessionController::stop()
{
    if (canStop()) {
        m_work->stop();
    }
}

void SessionController::saveCheckpoint()
{
    if (canSave()) {
        m_work->saveCheckpoint();
    }
}

void SessionController::saveCheckpointAs(const std::filesystem::path& file)
{
    if (canSaveAs()) {
        m_work->saveCheckpointAs(file);
    }
}

void SessionController::evaluate()
{
    if (canSave()) {
        m_work->evaluate();
    }
}

void SessionController::changeLearningRate(double rate)
{
    if (canSave()) {
        m_work->changeLearningRate(rate);
    }
}

void SessionController::changeSteps(qint64 steps)
{
    if (canSave()) {
        m_work->changeSteps(steps);
    }
}

void SessionController::stopAfterEpoch(bool isWanted)
{
    if (canSave()) {
        m_work->stopAfterEpoch(isWanted);
    }
}

void SessionController::wantMasks(bool areWanted)
{
    m_work->wantMasks(areWanted);
}

} // namespace lockstep::ui
