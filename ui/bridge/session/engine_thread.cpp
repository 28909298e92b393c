// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/engine_thread.h"
#include "models/engine_text.h"

#include "bridge/base/file_names.h"
#include "bridge/telemetry/stored_run.h"
#include "engine/base.h"
#include "engine/crash.h"

#include <QCoreApplication>
#include <QFile>
#include <QScopeGuard>

#include <pthread.h>

#include <exception>
#include <new>
#include <utility>
#include <variant>

namespace lockstep::ui {
namespace {

/// What the device gave to each tower.
std::vector<TowerPlacement> seatsOf(const TrainingSession& session)
{
    const Stepper& stepper = session.stepper();
    std::vector<TowerPlacement> seats;
    for (int tower = 0; tower < stepper.shape().towers; ++tower) {
        seats.push_back(
            {QString::fromStdString(session.places()[static_cast<std::size_t>(tower)]),
             static_cast<qint64>(stepper.bytesOf(tower))});
    }
    return seats;
}

} // namespace

EngineThread::EngineThread(RunRequest request, RunFeed& feed, SessionListener tell)
    : m_request(std::move(request)), m_feed(feed), m_tell(std::move(tell)),
      m_thread([this] { work(); })
{
}

void EngineThread::work()
{
    const SignalStack stack;
    pthread_setname_np(pthread_self(), "engine"); // those without a name of their own inherit it
    RunOutcome outcome;
    try {
        outcome.state = train();
    } catch (const std::bad_alloc&) {
        outcome.error = explained("there is not enough memory for this run");
    } catch (const Error& error) {
        const bool isAskedFor = error.code() == ErrorCode::Cancelled && isStopWanted();
        outcome.state = isAskedFor ? RunState::Stopped : RunState::Failed;
        outcome.error = explained(error.what());
    } catch (const std::exception& error) {
        outcome.error = explained(error.what());
    } catch (...) {
        outcome.error = explained("an unknown error ended the run");
    }
    outcome.endStep = m_endStep;
    m_tell(outcome);
}

RunState EngineThread::train()
{
    TrainingRun run(m_request, *this);
    m_lastCheckpoint = run.lastCheckpoint();
    m_endStep = run.session().progress().step;
    m_tell(planOf(run));
    publish(&run);
    const auto withdrawn = qScopeGuard([this] { publish(nullptr); });
    run.train();
    return run.state();
}

RunPlan EngineThread::planOf(const TrainingRun& run) const
{
    RunPlan plan;
    plan.folder = run.folder();
    plan.config = run.config();
    plan.nextStep = run.session().progress().step;
    plan.firstStep = m_request.isResume ? 0 : plan.nextStep;
    plan.towers = seatsOf(run.session());
    plan.objectives = severalObjectives(objectiveNames(run.session().plan().network));
    plan.chance = run.chance();
    if (m_request.isResume) {
        const RunStoreReader store(RunFolder::storeFileOf(plan.folder));
        plan.told = toldAlerts(store);
        plan.gradients = store.someGradients(kHistoryGradients);
        plan.evaluations = store.evaluations();
        std::erase_if(plan.evaluations, [&](const EvaluationRecord& record) {
            return record.step > plan.nextStep;
        });
    }
    return plan;
}

QString EngineThread::explained(const std::string& error) const
{
    QString text = engineText(error);
    const QString checkpoint = toQString(m_lastCheckpoint);
    if (checkpoint.isEmpty() || text.contains(checkpoint) || !QFile::exists(checkpoint)) {
        return text;
    }
    return QCoreApplication::translate(
               "EngineThread", "%1. The last checkpoint is %2; the run can be resumed from it.")
        .arg(text, checkpoint);
}

void EngineThread::publish(TrainingRun* run)
{
    const std::scoped_lock lock(m_mutex);
    const TrainingRun* const left = std::exchange(m_run, run);
    if (run == nullptr) { // as it was left, by whoever
        m_isPauseWanted = left->isPauseWanted();
        m_isStopWanted = left->isStopWanted();
        return;
    }
    if (m_isPauseWanted) {
        run->send(command::Pause{});
    }
    if (m_isStopWanted) {
        run->send(command::Stop{});
    }
    run->wantMasks(m_areMasksWanted);
}

void EngineThread::send(const RunCommand& command)
{
    const std::scoped_lock lock(m_mutex);
    if (m_run != nullptr) {
        return m_run->send(command);
    }
    m_isStopWanted |= std::holds_alternative<command::Stop>(command);
    m_isPauseWanted = std::holds_alternative<command::Pause>(command)
                      || (m_isPauseWanted && !std::holds_alternative<command::Resume>(command));
}

void EngineThread::wantMasks(bool areWanted)
{
    const std::scoped_lock lock(m_mutex);
    m_areMasksWanted = areWanted;
    if (m_run != nullptr) {
        m_run->wantMasks(areWanted);
    }
}

std::optional<RunStatus> EngineThread::status() const
{
    const std::scoped_lock lock(m_mutex);
    return m_run == nullptr ? std::nullopt : std::optional(m_run->status());
}

bool EngineThread::isPauseWanted() const
{
    const std::scoped_lock lock(m_mutex);
    return m_run == nullptr ? m_isPauseWanted : m_run->isPauseWanted();
}

bool EngineThread::isStopWanted() const
{
    const std::scoped_lock lock(m_mutex);
    return m_run == nullptr ? m_isStopWanted : m_run->isStopWanted();
}

void EngineThread::onEvent(const TrainingEvent& event)
{
    if (const auto* const step = std::get_if<StepRecord>(&event)) {
        m_endStep = step->step + 1;
        return m_feed.push(*step);
    }
    if (const auto* const gradients = std::get_if<GradientRecord>(&event)) {
        return m_feed.push(*gradients);
    }
    if (const auto* const checkpoint = std::get_if<WrittenCheckpoint>(&event)) {
        m_lastCheckpoint = checkpoint->file;
    }
    m_tell(event);
}

} // namespace lockstep::ui
