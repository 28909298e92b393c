// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/data_identity.h"
#include "dataset/examples/dataset.h"
#include "device/registry/device_registry.h"
#include "network/network_spec.h"
#include "session/config/run_config.h"
#include "session/step/stepper.h"
#include "storage/rows/run_phase.h"
#include "update/learning_rate.h"
#include "update/optimizer_settings.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// Note of a checkpoint: SHA-256 of the file that describes its model, where it is not a built-in
/// one.
inline constexpr const char* kModelChecksumNote = "model_sha256";

/// Note of a checkpoint and fact of a run: what steps took with each number of threads per tower
/// that was tried before one was chosen.
inline constexpr const char* kMeasuredThreadsNote = "measured_threads";

/// What a training trains, how, and on which devices: what a configuration and a data set come to
/// before anything is allocated. Only the learning rate and the number of steps change while it
/// trains.
struct TrainingPlan
{
    /// Opens the devices. `trained` and `ranks` must outlive the plan. Errors name the setting, the
    /// phase, the device, or the rank that has other data or devices than rank 0. Collective where
    /// there are ranks.
    TrainingPlan(const RunConfig& run, const Dataset& trained, Ranks* ranks = nullptr);

    RunConfig config; ///< with threads per tower and algorithms as they were chosen
    const Dataset& training;
    DataIdentity data; ///< of the training set
    /// Of one epoch: all of the training set, or, in balanced order, twice its defective ones.
    std::int64_t epochExamples;
    OptimizerSettings optimizer;
    NetworkSpec network;            ///< the whole, with all its objectives
    RankShare share;                ///< the towers of this process
    DeviceChoice devices;           ///< all that these use
    std::int64_t scheduleShift = 0; ///< see LearningRateSchedule and goOnFrom()
    LearningRateSchedule schedule;
    /// What is trained when, by ascending step. Steps of one phase are planned together.
    std::vector<RunPhase> phases;
    std::string modelChecksum; ///< SHA-256 of the file that describes it; empty: a built-in one
    /// "1: 61.2 ms, 2: 33.0 ms": why the towers have as many threads as they have, measured now or
    /// when the restored training began; empty if that was not measured.
    std::string measuredThreads;

    /// As used in the update of a step.
    [[nodiscard]] double learningRateAt(std::int64_t step) const;
    [[nodiscard]] UpdateSchedule updates() const;
    /// `trained`: the network of a phase.
    [[nodiscard]] StepperSettings stepperSettings(const NetworkSpec& trained) const;

    /// Another rate from `step` on: in a phase with a rate of its own that of the rest of the
    /// phase, else it decays on from there. Errors of LearningRateSchedule::withRateAt().
    void setLearningRate(std::int64_t step, double rate);
    /// What setLearningRate() makes of a configuration of this training.
    void changeRate(RunConfig& run, std::int64_t step, double rate) const;
    void setSteps(std::int64_t steps);
    /// Of a training that is restored: its schedule goes on behind the examples that it has seen,
    /// whatever its batch was. Whether that changed the schedule.
    bool goOnFrom(std::int64_t step, std::int64_t examplesSeen);

private:
    void meetRanks() const;
    [[nodiscard]] LearningRateSchedule plannedSchedule() const;
    void planPhases();
    void countUpdates(const std::vector<std::vector<bool>>& trained);

    /// By phase: for how many steps what it trains was trained before, as Adam's correction of its
    /// bias counts them.
    std::vector<std::int64_t> m_updatesBefore;
};

} // namespace lockstep
