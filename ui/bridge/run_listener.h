// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine.h"
#include "models/tower_table_model.h"

#include <QString>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::ui {

/// What is known once a run is opened: planned by the engine, or read from its folder.
struct RunPlan
{
    std::filesystem::path folder;
    std::filesystem::path storeFile;
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

    // Of a run that was read from its folder.
    std::optional<RunState> recordedState; ///< as it says itself; empty before its first step
    std::optional<int> writer;             ///< the process that trains it, if one does
    std::int64_t branch = 0;               ///< the one that the steps are of
    std::size_t events = 0;                ///< so many things had happened
    /// The last of them, and its checkpoints, in the order in which they happened.
    std::vector<RunEvent> history;
    std::int64_t nextReading = 1; ///< number of the first one that was not there when it was read
};

/// How a run of the engine thread came to its end.
struct RunOutcome
{
    RunState state = RunState::Failed; ///< Finished, Stopped or Failed
    QString error;            ///< for Failed: what happened, what was saved, what can be done
    std::int64_t endStep = 0; ///< the step after the last one that was made
};

/// How a run stands that another process has trained until now.
struct FollowedEnd
{
    /// Finished, Stopped or Failed; Running: its process ended without a word.
    RunState state = RunState::Running;
    std::int64_t endStep = 0; ///< the step after the last one in its store
};

/// Told what happens in a run, whoever trains it, in the GUI thread and in the order in which it
/// happened.
class RunListener
{
public:
    RunListener() = default;
    virtual ~RunListener() = default;
    RunListener(const RunListener&) = delete;
    RunListener& operator=(const RunListener&) = delete;

    virtual void onEvaluation(const EvaluationRecord& record) = 0;
    /// By ascending step, after those of the plan.
    virtual void onGradients(const std::vector<GradientRecord>& records) = 0;
    virtual void onDeviceReading(const DeviceReadingRecord& record) = 0;
    virtual void onCheckpoint(std::int64_t step, const std::filesystem::path& file) = 0;
    virtual void onNote(const QString& text, bool isWarning) = 0;
    virtual void onAlert(const AlertRecord& alert) = 0;
    /// The training goes on with this configuration.
    virtual void onConfig(const RunConfig& config) = 0;
};

} // namespace lockstep::ui
