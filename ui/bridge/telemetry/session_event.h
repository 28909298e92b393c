// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config.h"
#include "engine/observer.h"
#include "engine/records.h"
#include "engine/remote.h"
#include "engine/storage.h"
#include "models/figures/tower_table_model.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::ui {

class RunGathering;

/// What is known once a run is opened: planned by the engine, or read from its folder.
struct RunPlan
{
    std::filesystem::path folder;
    RunConfig config;           ///< as the engine resolved it
    std::int64_t firstStep = 0; ///< of the run's history; nextStep where there is none
    std::int64_t nextStep = 0;  ///< the first that will be made
    std::vector<EvaluationRecord> evaluations; ///< of the history
    /// Of the history: all, or of a long one so many, evenly spread, and the newest.
    std::vector<GradientRecord> gradients;
    /// The last ones of a run that is only shown: a run that trains soon makes its own.
    std::vector<DeviceReadingRecord> readings;
    std::vector<TowerPlacement> towers;
    /// Names of the objectives of the network, in their order; empty where it has only one.
    std::vector<std::string> objectives;
    Chance chance; ///< that its light is held against
    /// What was told of it until now. Curves of a long history don't say who was late.
    std::vector<AlertRecord> told;
    /// What recorded a run that another program trained, which can only be looked at; empty for a
    /// run of our own.
    QString recordedBy;

    // Of a run that was read from its folder.
    std::shared_ptr<RunGathering> gathering; ///< goes on as long as somebody has it; null: none
    std::optional<RunState> recordedState;   ///< as it says itself; empty before its first step
    std::optional<int> writer;               ///< the process that trains it, if one does
    std::int64_t branch = 0;                 ///< the one that the steps are of
    std::size_t events = 0;                  ///< so many things had happened
    std::size_t preflight = 0;               ///< so many lines of its checklist were done
    /// The last of them, and its checkpoints, in the order in which they happened.
    std::vector<RunEvent> history;
    std::int64_t nextReading = 1; ///< number of the first one that was not there when it was read
};

/// How a run of the engine thread came to its end.
struct RunOutcome
{
    RunState state = RunState::Failed; ///< Finished, Stopped or Failed
    std::int64_t endStep = 0;          ///< the step after the last one that was made
    QString error = {}; ///< for Failed: what happened, what was saved, what can be done
};

/// How a run stands that another process has trained until now. Running: that ended without a word.
struct FollowedEnd : RunOutcome
{
};

/// A run that was started as a process of its own is up.
struct RunLaunched
{
    std::filesystem::path folder;
};

/// A run that is followed goes on from an earlier step: it has to be read anew. Nothing more is
/// told of it.
struct RunBranched
{
};

/// How the process stands that trains a run; empty: it does not answer.
struct WriterAnswer
{
    std::optional<RunStatus> status;
};

/// What becomes of a run, whoever trains it, in the order in which it happened; its steps come by
/// RunFeed::push(). A RunPlan comes before all else of a run of this window, RunLaunched of one
/// that is a process of its own; RunOutcome and FollowedEnd are the last word. Gradients of a run
/// of another process come by ascending step, after those of its plan.
using SessionEvent = std::variant<
    RunPlan, TrainingEvent, std::vector<GradientRecord>, RunOutcome, RunLaunched, RunBranched,
    FollowedEnd, WriterAnswer>;

/// Told of it by any thread; hands it on to the GUI thread, as long as whoever tells keeps this.
using SessionListener = std::function<void(SessionEvent event)>;

} // namespace lockstep::ui
