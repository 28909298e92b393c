// SPDX-License-Identifier: Apache-2.0
// What a TrainingRun tells a person of without being asked: alerts, and the error that ends it.
#include "base/error.h"
#include "dataset/examples/data_check.h"
#include "metrics/verdicts/step_alerts.h"
#include "ranks/ranks.h"
#include "session/config/training_phases.h"
#include "session/events/event_recorder.h"
#include "session/run/run_files.h"
#include "session/run/training_run.h"
#include "session/run/watchdog.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

/// What to change before a run that failed is resumed; empty where its checkpoints are no help.
std::string adviceAfter(ErrorCode code, const TrainingSession& session, double initialRate)
{
    switch (code) {
    case ErrorCode::Numeric: {
        const std::int64_t step = session.progress().step;
        const double rate = session.plan().learningRateAt(step);
        if (session.plan().phases[phaseAt(session.plan().phases, step)].learningRate) {
            return fmt::format("with a lower learning rate (it is {} in this phase)", rate);
        }
        return fmt::format(
            "with a lower learning rate (learning_rate.initial is {}{})", initialRate,
            rate == initialRate
                ? ""
                : fmt::format(", which the decays have made {:.6g} at step {}", rate, step));
    }
    case ErrorCode::Device:
        if (session.plan().share.ranks != nullptr) {
            return "(--resume) with the ranks that are left, or all";
        }
        [[fallthrough]];
    case ErrorCode::OutOfMemory:
        return "when the device works again, or on another one";
    case ErrorCode::Data:
    case ErrorCode::Io:
        return "(--resume) when that is mended";
    default:
        return "";
    }
}

/// What was set on purpose, and what found it: "tower 1 was poisoned on purpose: found at step 180,
/// by its loss".
std::string outcomeOf(
    const std::string& what, AlertKind kind, int tower, const std::vector<Verdict>& found)
{
    const auto hit = std::ranges::find_if(found, [&](const Verdict& verdict) {
        return verdict.alert == kind && verdict.tower == tower;
    });
    return hit == found.end()
               ? fmt::format("{} on purpose: not found", what)
               : fmt::format("{} on purpose: found at step {}, by {}", what, hit->since, hit->by);
}

RunEvent eventOf(const AlertRecord& alert, NoteLevel level)
{
    return {0.0, std::string(toString(level)),      alert.text, 0,
            0,   std::string(toString(alert.kind)), alert.tower};
}

} // namespace

/// Leaves in the store how the run ended, if that can still be written.
Error TrainingRun::concluded(const Error& error, const std::optional<StepFault>& fault)
{
    m_watch.reset();
    m_dataCheck.reset();
    endPatience();
    const std::string advice = adviceAfter(error.code(), m_session, m_config.learningRate.initial);
    std::string text = error.what();
    if (!advice.empty() && !lastCheckpoint().empty()) {
        text += fmt::format(
            ". The last good checkpoint is {}; resume from it {}", lastCheckpoint().string(),
            advice);
    }
    const AlertRecord notFinite{
        AlertKind::NotFinite, false, m_session.progress().step, fault ? fault->tower : -1, text};
    try {
        m_files->append(
            fault ? eventOf(notFinite, NoteLevel::Error) : RunEvent{0.0, "error", text});
        storeState(RunState::Failed);
        recordEvents([&] {
            if (m_events) {
                m_events->flush();
            }
        });
        m_files->close();
    } catch (const Error&) {
        // The store itself is what failed: then `text` says so.
    }
    if (fault) {
        m_observer.onEvent(notFinite);
    } else if (text != error.what()) {
        m_observer.onEvent(Note{NoteLevel::Error, text});
    }
    return {error.code(), text};
}

/// What is seen from beside the training, and what is seen in its steps.
void TrainingRun::watch()
{
    const AlertSettings& settings = m_config.alerts;
    const auto tell = [this](const AlertRecord& told) { alert(told); };
    m_alerts = std::make_unique<StepAlerts>(
        settings, static_cast<std::size_t>(m_session.stepper().shape().towers), m_chance, tell);
    WatchdogSettings watched;
    watched.stuckSeconds = settings.stuckSeconds;
    watched.diskCheckpoints = settings.diskCheckpoints;
    watched.folder = folder();
    watched.freeBytes = freeBytesOf;
    m_watch = std::make_unique<Watchdog>(std::move(watched), [tell](const AlertRecord& told) {
        try {
            tell(told);
        } catch (const std::exception&) {
            // The store can't be written any more: the thread that trains is about to hear of it.
        }
    });
    if (m_files->savedStep() >= 0) {
        tellWatchOfCheckpoint();
    }
    m_watch->begin(Watchdog::Activity::Step);
}

/// How experiments ended that this run made.
void TrainingRun::noteExperiment()
{
    const int towers = static_cast<int>(m_session.stepper().shape().towers);
    if (towers < 2 || m_madeSteps == 0) {
        return;
    }
    const auto tell = [this](const std::string& what, AlertKind kind, int tower) {
        note(NoteLevel::Info, outcomeOf(what, kind, tower, m_alerts->found()));
    };
    if (const int late = m_config.experiment.delayedTower(towers); late >= 0) {
        tell(fmt::format("tower {} was late", late), AlertKind::SlowTower, late);
    }
    const ShardSettings shards = m_config.experiment.shardSettings(towers);
    if (shards.kind == ShardKind::Same) {
        tell("all towers got the same rows", AlertKind::SameData, -1);
    } else if (shards.kind != ShardKind::Distinct) {
        // Of two towers nobody can say which one it is.
        tell(
            shards.kind == ShardKind::Skewed
                ? fmt::format("tower {} got a single class", shards.tower)
                : fmt::format("tower {} was poisoned", shards.tower),
            AlertKind::TowerLoss, towers > 2 ? shards.tower : -1);
    }
}

const RunVerdicts* TrainingRun::verdicts() const
{
    return m_alerts ? &m_alerts->verdicts() : nullptr;
}

void TrainingRun::tellWatchOfCheckpoint()
{
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(lastCheckpoint(), ignored);
    if (m_watch && !ignored) {
        m_watch->onCheckpoint(bytes);
    }
}

void TrainingRun::alert(const AlertRecord& alert)
{
    m_files->append(eventOf(alert, alert.isOver ? NoteLevel::Info : NoteLevel::Warning));
    m_observer.onEvent(alert);
    if (m_ranks != nullptr && alert.kind == AlertKind::Stuck && !alert.isOver && alert.stuck
        && !alert.stuck->isSaving) {
        m_ranks->giveUp(fmt::format(
            "the training does not get on: no step has been done for {:.0f} s",
            alert.stuck->seconds));
    }
}

} // namespace lockstep
