// SPDX-License-Identifier: Apache-2.0
// What a TrainingRun tells a person of without being asked: alerts, and the error that ends it.
#include "base/error.h"
#include "dataset/examples/data_check.h"
#include "metrics/verdicts/step_alerts.h"
#include "ranks/ranks.h"
#include "session/config/training_phases.h"
#include "session/events/event_recorder.h"
#include "session/run/run_facts.h"
#include "session/run/run_files.h"
#include "session/run/training_run.h"
#include "session/run/watchdog.h"
#include "storage/store/run_store_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace lockstep {
namespace {

constexpr std::int64_t kRecalledSteps = 5000; ///< enough for the lights, and read in a moment

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
std::string outcomeOf(const std::string& what, const Verdict* found)
{
    return found == nullptr
               ? fmt::format("{} on purpose: not found", what)
               : fmt::format(
                   "{} on purpose: found at step {}, by {}", what, found->since, found->by);
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

/// Has the lights of a run that goes on know what was found in it: from its newest steps, and of
/// earlier ones from what was told of them.
void TrainingRun::recall()
{
    if (m_startStep == 0) {
        return;
    }
    const std::int64_t first = std::max<std::int64_t>(0, m_startStep - kRecalledSteps);
    const RunStoreReader store(RunFolder::storeFileOf(folder()));
    for (const AlertRecord& told : toldAlerts(store)) {
        if (told.step <= first) {
            m_alerts->recall(told);
        }
    }
    std::vector<GradientAgreement> agreements; // of all layers that may be gigabytes
    store.forEachGradient(
        [&](const GradientRecord& record) {
            agreements.push_back({record.step, gradientAgreement(record).whole, {}});
        },
        first, m_startStep);
    auto agreement = agreements.begin();
    store.forEachStep(
        [&](const StepRecord& step) {
            m_alerts->recall(step);
            for (; agreement != agreements.end() && agreement->step <= step.step; ++agreement) {
                m_alerts->take(*agreement);
            }
        },
        first, m_startStep);
}

/// What is seen from beside the training, and what is seen in its steps.
void TrainingRun::watch()
{
    const AlertSettings& settings = m_config.alerts;
    const auto tell = [this](const AlertRecord& told) { alert(told); };
    const auto begin = [&] {
        m_alerts = std::make_unique<StepAlerts>(
            settings, static_cast<std::size_t>(m_session.stepper().shape().towers), m_chance, tell);
    };
    begin();
    try {
        recall();
    } catch (const Error&) {
        begin(); // a past that is damaged is no reason not to go on
    }
    m_session.restartClock();
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
    const auto tell = [this](const std::string& what, const std::pair<AlertKind, int>& symptom) {
        const auto& [kind, tower] = symptom;
        note(NoteLevel::Info, outcomeOf(what, m_alerts->verdicts().found(kind, tower)));
    };
    if (const int late = m_config.experiment.delayedTower(towers); late >= 0) {
        tell(fmt::format("tower {} was late", late), {AlertKind::SlowTower, late});
    }
    const ShardSettings shards = m_config.experiment.shardSettings(towers);
    if (shards.kind == ShardKind::Same) {
        tell("all towers got the same rows", symptomOf(shards));
    } else if (shards.kind != ShardKind::Distinct) {
        tell(
            shards.kind == ShardKind::Skewed
                ? fmt::format("tower {} got a single class", shards.tower)
                : fmt::format("tower {} was poisoned", shards.tower),
            symptomOf(shards));
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
