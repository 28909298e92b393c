// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on disk in a SessionController: opened, followed, and started as processes of their own.
#include "bridge/session/run_follower.h"
#include "bridge/session/session_controller.h"
#include "bridge/telemetry/run_gathering.h"
#include "engine/base.h"
#include "models/engine_text.h"

#include <QCoreApplication>

#include <exception>

namespace lockstep::ui {

void SessionController::launch(const RunRequest& request)
{
    if (!makeRoom()) {
        return;
    }
    try {
        m_launcher = std::make_unique<RunLauncher>(request, listener());
        setState(State::Preparing);
    } catch (const std::exception& error) {
        concludeTraining({.error = engineText(error.what())});
    }
}

void SessionController::on(const RunLaunched& event)
{
    m_launched = event.folder;
    readToShow(event.folder);
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

} // namespace lockstep::ui
