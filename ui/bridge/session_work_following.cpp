// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are on disk: shown as they are, or followed while another process trains them.
#include "bridge/session_work.h"
#include "bridge/stored_run.h"
#include "engine/remote.h"
#include "engine/storage.h"

#include <QCoreApplication>

namespace lockstep::ui {

/// What is being read is not wanted any more. It may take its time to end, which nobody waits for.
void SessionWork::abandonOpening()
{
    m_opening.request_stop();
    m_opening = std::stop_source();
    m_isOpening = false;
}

void SessionWork::open(const std::filesystem::path& run)
{
    read(run, [this](const QString& text) { emit m_controller.openingFailed(text); });
}

/// Whatever is read or wrong with the run is told in the GUI thread.
void SessionWork::read(
    const std::filesystem::path& run, const std::function<void(const QString&)>& onError)
{
    abandonOpening();
    m_isOpening = true;
    m_readers.start([this, run, onError, isUnwanted = m_opening.get_token()] {
        if (isUnwanted.stop_requested()) { // while others were read
            return;
        }
        std::function<void()> conclude;
        try {
            conclude = [this, plan = readStoredRun(run)] { onRead(plan); };
        } catch (const std::exception& error) {
            conclude = [onError, text = QString::fromStdString(error.what())] { onError(text); };
        }
        m_opened.post([this, conclude, isUnwanted] {
            if (!isUnwanted.stop_requested()) {
                m_isOpening = false;
                conclude();
            }
        });
    });
}

/// The shown run that nobody trained may be gone on with elsewhere: then it is followed.
void SessionWork::lookForWriter()
{
    if (m_controller.isBusy() || m_isOpening || m_state == State::Following
        || m_plan.folder.empty()) {
        return;
    }
    const auto writer = RunLock::writerOf(m_plan.folder);
    if (writer && *writer != QCoreApplication::applicationPid()) {
        // It may still be making its files; the next look is a second away.
        read(m_plan.folder, [](const QString& /*error*/) {});
    }
}

void SessionWork::onRead(const RunPlan& plan)
{
    leave();
    setState(plan.writer ? State::Following : State::Idle);
    show(plan);
    if (plan.writer) {
        follow();
    } else {
        m_pump.finish(plan.nextStep);
    }
}

void SessionWork::follow()
{
    m_follower = std::make_unique<RunFollower>(m_plan, m_pump, m_controller, *this);
    m_remote = std::make_unique<RemoteControl>(m_plan.folder, m_controller, *this);
    emit m_controller.writerChanged();
}

/// Nothing more comes of what is shown.
void SessionWork::leave()
{
    m_follower.reset();
    m_remote.reset();
    m_status.reset();
    m_outcome.reset();
    m_followedEnd.reset();
    m_pump.reset();
}

void SessionWork::close()
{
    abandonOpening();
    leave();
    m_plan = {};
    setState(State::Idle);
}

void SessionWork::onBranched()
{
    m_follower.reset();
    open(m_plan.folder);
}

void SessionWork::onWriterGone(const FollowedEnd& end)
{
    m_follower.reset();
    m_remote.reset();
    m_status.reset();
    m_followedEnd = end;
    m_pump.finish(end.endStep);
}

void SessionWork::onRemoteStatus(const std::optional<RunStatus>& status)
{
    m_status = status;
    emit m_controller.writerChanged();
}

void SessionWork::onRemoteError(const QString& text)
{
    emit m_controller.noteArrived(text, true);
}

} // namespace lockstep::ui
