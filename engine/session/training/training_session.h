// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "dataset/examples/data_identity.h"
#include "dataset/examples/dataset.h"
#include "device/registry/device_registry.h"
#include "metrics/gradient_record.h"
#include "metrics/step_record.h"
#include "session/config/run_config.h"
#include "session/step/stepper.h"
#include "storage/checkpoint/checkpoint.h"
#include "storage/rows/run_phase.h"
#include "update/learning_rate.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Note of a checkpoint: SHA-256 of the file that describes its model, where it is not a built-in
/// one.
inline constexpr const char* kModelChecksumNote = "model_sha256";

/// Note of a checkpoint and fact of a run: what steps took with each number of threads per tower
/// that was tried before one was chosen.
inline constexpr const char* kMeasuredThreadsNote = "measured_threads";

/// The state of a training in memory, and the step. Knows no files: TrainingRun adds those.
/// All methods are called from one thread.
class TrainingSession
{
public:
    /// Plans towers, memory and averaging and starts the input pipeline at step 0. `training` must
    /// outlive the session. Errors name the setting, the layer or the tower; Error(Cancelled) if
    /// `mayGoOn`, asked while algorithms are chosen, perhaps by another thread, says no.
    TrainingSession(
        const RunConfig& config, const Dataset& training,
        const std::function<bool()>& mayGoOn = {});

    /// Takes over the state of a checkpoint; the next step is checkpoint.step. Error(BadInput) if
    /// it is of another model: names the first tensor that does not fit.
    void restore(const Checkpoint& checkpoint);

    /// Fine-tuning: begins at step 0 with these weights of another training, all others at their
    /// initial values; see takeOverWeights().
    void takeOver(const std::vector<NamedTensor>& weights);

    /// One synchronous update. On Error(Numeric), which names tower and step, nothing was applied.
    /// Devices that work on their own may run ahead, up to but not including step `limit`.
    StepRecord step(std::int64_t limit);
    StepRecord step() { return step(m_step + 1); }
    /// Steps that devices have begun and step() has not yet returned. While there are any, the
    /// parameters are not those after step(): call step(nextStep() + 1) until there are none.
    [[nodiscard]] std::int64_t stepsAhead() const { return m_stepper->stepsAhead(); }

    /// Of the step that step() returned last; empty where they were not measured.
    [[nodiscard]] const std::optional<GradientRecord>& gradients() const { return m_gradients; }
    /// Whether masks() are wanted of the next steps, which costs a copy of some images.
    void setMasksWanted(bool areWanted) { m_areMasksWanted = areWanted; }
    /// Of the step that step() returned last; empty where they were not wanted, where the network
    /// predicts none, and on accelerators.
    [[nodiscard]] const std::optional<MaskRecord>& masks() const { return m_masks; }
    /// From the next step on the learning rate is `rate`; checkpoints say so. In a phase with a
    /// rate of its own it is that of the rest of the phase, else it decays on from there. Needs
    /// stepsAhead() to be 0. Errors of LearningRateSchedule::withRateAt().
    void setLearningRate(double rate);
    /// What setLearningRate() makes of a configuration of this training.
    void setLearningRate(RunConfig& config, double rate) const;
    /// The updates that are wanted in all; those made are the least. Needs stepsAhead() to be 0.
    void setSteps(std::int64_t steps);
    /// As used in the update of a step.
    [[nodiscard]] double learningRateAt(std::int64_t step) const;
    /// What made the last step() throw Error(Numeric).
    [[nodiscard]] const std::optional<StepFault>& fault() const { return m_fault; }

    /// The whole state after the last step. Needs stepsAhead() to be 0.
    [[nodiscard]] Checkpoint capture() const;

    [[nodiscard]] std::int64_t nextStep() const { return m_step; }
    [[nodiscard]] std::int64_t examplesSeen() const { return m_examplesSeen; }
    /// See epochExamples() of the configuration.
    [[nodiscard]] std::int64_t epochExamples() const { return m_epochExamples; }
    [[nodiscard]] double wallSeconds() const { return m_wallSeconds; }
    /// Leaves out of the step time what was done between steps: pauses, checkpoints, evaluations.
    void restartClock() { m_stepClock.restart(); }

    /// The whole network, with all its objectives.
    [[nodiscard]] const NetworkSpec& network() const { return m_network; }
    /// What is trained when, by ascending step. Steps of one phase are planned together.
    [[nodiscard]] const std::vector<RunPhase>& phases() const { return m_phases; }
    /// The network of the phase that the next step is of, as far as it is planned.
    [[nodiscard]] const NetworkSpec& trainedNetwork() const { return m_trained; }
    /// SHA-256 of the file that describes it; empty for a built-in one.
    [[nodiscard]] const std::string& modelChecksum() const { return m_modelChecksum; }
    /// Of the training data.
    [[nodiscard]] const DataIdentity& data() const { return m_data; }
    /// The first device of the run.
    [[nodiscard]] const Device& device() const { return *m_devices.devices.front(); }
    /// All devices that the towers use.
    [[nodiscard]] const DeviceChoice& devices() const { return m_devices; }
    [[nodiscard]] const ParameterArena& arena() const { return m_stepper->arena(); }
    [[nodiscard]] const LearningRateSchedule& schedule() const { return m_schedule; }
    [[nodiscard]] const Stepper& stepper() const { return *m_stepper; }
    /// Host devices: the steps that follow time every layer and objective, see Stepper.
    void timeNodes();
    [[nodiscard]] const TowerShape& shape() const { return m_stepper->shape(); }
    /// Accelerators: the steps that follow are not replayed, see Stepper. Needs stepsAhead() to be
    /// 0.
    void stopReplaying();
    /// How each layer is computed, for RunConfig::algorithms; empty where there is no choice.
    [[nodiscard]] const std::string& algorithms() const { return m_config.algorithms; }
    /// "1: 61.2 ms, 2: 33.0 ms": why the towers have as many threads as they have, measured now or
    /// when the restored training began; empty if that was not measured.
    [[nodiscard]] const std::string& measuredThreads() const { return m_measuredThreads; }
    /// What the device choice fell back to, for people; empty if nothing.
    [[nodiscard]] const std::string& deviceNote() const { return m_devices.note; }
    /// What the towers really get: batch, placement, threads, memory; one line for each.
    [[nodiscard]] std::vector<std::string> describe() const;

private:
    void chooseThreads();
    [[nodiscard]] StepperSettings stepperSettings() const;
    [[nodiscard]] LearningRateSchedule scheduleOf(const LearningRateSettings& settings) const;
    [[noreturn]] void refuse(const StepOutcome& outcome) const;
    [[nodiscard]] StepRecord record(const StepOutcome& outcome);
    [[nodiscard]] ObjectiveLosses objectivesOf(const TowerResult& tower) const;
    void start();
    void planPhases();
    void enterPhase();
    void keepAlgorithms();

    RunConfig m_config;
    const Dataset& m_training;
    DataIdentity m_data;
    std::int64_t m_epochExamples;
    OptimizerSettings m_optimizer;
    NetworkSpec m_network;
    std::vector<RunPhase> m_phases;
    NetworkSpec m_trained; ///< of the phase that is planned
    bool m_timesNodes = false;
    DeviceChoice m_devices;
    LearningRateSchedule m_schedule;
    std::unique_ptr<Stepper> m_stepper;
    std::string m_modelChecksum; ///< of the model's file, if it is one
    std::string m_measuredThreads;
    std::int64_t m_step = 0;
    std::int64_t m_examplesSeen = 0;
    double m_wallSeconds = 0.0;
    std::optional<GradientRecord> m_gradients;
    bool m_areMasksWanted = false;
    std::optional<MaskRecord> m_masks;
    std::optional<StepFault> m_fault;
    Stopwatch m_stepClock;
};

/// The distortions of a run: those of the configuration, cropped to what the network reads; images
/// with masks are resized to it.
DistortionSettings distortionFor(const RunConfig& config, const NetworkSpec& network);

/// What makes the batches of a run, from its first step on. How far it runs ahead is part of it,
/// but changes no batch; how many loaders there are is for RunConfig::loaderThreads() to say.
PipelineSettings pipelineFor(const RunConfig& config, const NetworkSpec& network);

/// Whether a network can learn from a data set or be tested on it. Error(BadInput) says what does
/// not fit: size or channels of the images, masks, classes.
void checkDataset(const NetworkSpec& network, const Dataset& dataset);

/// Whether a model is meant by the path of its file, and not by a built-in name.
bool isModelFile(const std::string& nameOrFile);

} // namespace lockstep
