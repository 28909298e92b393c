// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/ordered_all_reduce.h"
#include "base/clock.h"
#include "dataset/dataset.h"
#include "device/device_registry.h"
#include "input/input_pipeline.h"
#include "metrics/step_record.h"
#include "session/run_config.h"
#include "storage/checkpoint.h"
#include "tower/tower_team.h"
#include "update/sgd.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lockstep {

/// The state of a training in memory, and the step. Knows no files: TrainingRun adds those.
/// All methods are called from one thread.
class TrainingSession
{
public:
    /// Plans towers, memory and averaging and starts the input pipeline at step 0. `training` must
    /// outlive the session. Errors name the setting, the layer or the tower.
    TrainingSession(const RunConfig& config, const Dataset& training);

    /// Takes over the state of a checkpoint; the next step is checkpoint.step. Error(BadInput) if
    /// it is of another model: names the first tensor that does not fit.
    void restore(const Checkpoint& checkpoint);

    /// One synchronous update. On Error(Numeric), which names tower and step, nothing was applied.
    StepRecord step();

    /// The whole state after the last step.
    [[nodiscard]] Checkpoint capture() const;

    [[nodiscard]] std::int64_t nextStep() const { return m_step; }
    [[nodiscard]] std::int64_t examplesSeen() const { return m_examplesSeen; }
    [[nodiscard]] double wallSeconds() const { return m_wallSeconds; }
    /// Leaves out of the step time what was done between steps: pauses, checkpoints, evaluations.
    void restartClock() { m_stepClock.restart(); }

    [[nodiscard]] const NetworkSpec& network() const { return m_network; }
    [[nodiscard]] const Device& device() const { return *m_device.device; }
    [[nodiscard]] const ParameterArena& arena() const { return m_arena; }
    [[nodiscard]] const LearningRateSchedule& schedule() const { return m_schedule; }
    [[nodiscard]] TowerTeam& team() { return m_team; }
    [[nodiscard]] const TowerTeam& team() const { return m_team; }
    /// What the device choice fell back to, for people; empty if nothing.
    [[nodiscard]] const std::string& deviceNote() const { return m_device.note; }
    /// What the towers really get: batch, placement, threads, memory; one line for each.
    [[nodiscard]] std::vector<std::string> describe() const;

private:
    void checkFinite(const std::vector<TowerResult>& towers, int badParameter) const;
    void update();
    [[nodiscard]] StepRecord record(
        const std::vector<TowerResult>& towers, double weightDecayLoss, const BatchLease& input);
    void startPipeline();

    RunConfig m_config;
    const Dataset& m_training;
    NetworkSpec m_network;
    DeviceChoice m_device;
    ParameterArena m_arena;
    TowerTeam m_team;
    OrderedAllReduce m_allReduce;
    Sgd m_optimizer;
    LearningRateSchedule m_schedule;
    std::unique_ptr<InputPipeline> m_pipeline;
    std::int64_t m_step = 0;
    std::int64_t m_examplesSeen = 0;
    double m_wallSeconds = 0.0;
    Stopwatch m_stepClock;
};

/// The distortions of a run: those of the configuration, cropped to what the network reads.
DistortionSettings distortionFor(const RunConfig& config, const NetworkSpec& network);

/// A network by built-in name or from a model file.
NetworkSpec openModel(const std::string& nameOrFile);

} // namespace lockstep
