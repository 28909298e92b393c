// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/exchange_seconds.h"
#include "base/clock.h"
#include "dataset/examples/dataset.h"
#include "metrics/gradient_record.h"
#include "metrics/step_record.h"
#include "session/config/run_config.h"
#include "session/step/stepper.h"
#include "session/training/rank_order.h"
#include "session/training/step_refused.h"
#include "session/training/training_plan.h"
#include "storage/checkpoint/checkpoint.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// All that a step of a training brought.
struct TrainingStep
{
    StepRecord record;
    /// Between ranks, or between GPUs. Empty: there is none, or it is not told.
    std::optional<ExchangeSeconds> exchange;
    std::optional<GradientRecord> gradients; ///< empty: they were not measured
    double gradientNorm = -1.0;              ///< of the average, where it may be clipped
    /// Empty where they were not wanted, and where the network predicts none.
    std::optional<MaskRecord> masks;
};

/// How far a training has come.
struct TrainingProgress
{
    std::int64_t step = 0; ///< the next one
    std::int64_t examplesSeen = 0;
    double wallSeconds = 0.0;
};

/// The state of a training in memory, and the step. Knows no files: TrainingRun adds those.
/// All methods are called from one thread. Where there are several ranks, each has a session; what
/// that of rank 0 is asked for, the others obey().
class TrainingSession
{
public:
    /// Plans towers, memory and averaging and starts the input pipeline at step 0. `training` must
    /// outlive the session. Errors name the setting, the layer or the tower; Error(Cancelled) if
    /// `mayGoOn`, asked while algorithms are chosen, perhaps by another thread, says no.
    TrainingSession(
        const RunConfig& config, const Dataset& training, const std::function<bool()>& mayGoOn = {},
        Ranks* ranks = nullptr);

    /// Takes over the state of a checkpoint; the next step is checkpoint.step. Error(BadInput) if
    /// it is of another model: names the first tensor that does not fit.
    void restore(const Checkpoint& checkpoint);

    /// Fine-tuning: begins at step 0 with these weights of another training, all others at their
    /// initial values; see takeOverWeights().
    void takeOver(const std::vector<NamedTensor>& weights);

    /// One synchronous update; what is returned is valid until the next one. On StepRefused nothing
    /// was applied. Devices that work on their own may run ahead, up to but not including step
    /// `limit`. While they are, stepper().stepsAhead() > 0, the parameters are not those after
    /// step(): call step() until there are none.
    const TrainingStep& step(std::int64_t limit);
    const TrainingStep& step() { return step(m_progress.step + 1); }

    /// The whole state after the last step. Needs stepsAhead() to be 0.
    [[nodiscard]] Checkpoint capture() const;
    /// Notes that every checkpoint has from now on.
    void note(std::map<std::string, std::string> notes) { m_notes = std::move(notes); }

    /// Rank 0: tells the others to do something beside the steps.
    void order(const RankOrder& order) const;
    /// Where there are ranks: brings their clocks together. Needs stepsAhead() to be 0.
    void compareClocks();
    /// By tower: seconds by which the times of its phases may be wrong, beside those of rank 0, or
    /// of the first of several accelerators. Empty where one clock times all.
    [[nodiscard]] std::vector<double> clockUncertainties() const;
    /// Another rank: waits for the next order, and does it if it is one for the session.
    RankOrder obey();

    /// Whether masks are wanted of the next steps, which costs a copy of some images.
    void setMasksWanted(bool areWanted) { m_areMasksWanted = areWanted; }
    /// From the next step on, see TrainingPlan::setLearningRate(); checkpoints say so. Needs
    /// stepsAhead() to be 0.
    void setLearningRate(double rate);
    /// The updates that are wanted in all; those made are the least. Needs stepsAhead() to be 0.
    void setSteps(std::int64_t steps);
    /// Leaves out of the step time what was done between steps: pauses, checkpoints, evaluations.
    void restartClock() { m_stepClock.restart(); }
    /// Host devices: the steps that follow time every layer and objective, see Stepper.
    void timeNodes();
    /// Accelerators: the steps that follow are not replayed, see Stepper. Needs stepsAhead() to be
    /// 0.
    void stopReplaying();

    [[nodiscard]] const TrainingPlan& plan() const { return m_plan; }
    [[nodiscard]] const TrainingProgress& progress() const { return m_progress; }
    /// Towers and parameters of the phase that the next step is of, as far as it is planned.
    [[nodiscard]] const Stepper& stepper() const { return *m_stepper; }
    /// Where each tower runs: "cpu", "cuda:1"; of several ranks "rank1@node7:cuda:1".
    [[nodiscard]] const std::vector<std::string>& places() const { return m_places; }
    /// A device of this rank, named as in places().
    [[nodiscard]] std::string placeOn(const std::string& device) const;
    /// The network of that phase.
    [[nodiscard]] const NetworkSpec& trainedNetwork() const { return m_trained; }

private:
    void start();
    void shareState();
    void findPlaces();
    void meetClocks();
    void enterPhase();
    void planChanged();
    void record(const StepOutcome& outcome);

    TrainingPlan m_plan;
    std::optional<std::size_t> m_phase; ///< that is planned; none: to be looked at anew
    NetworkSpec m_trained;              ///< of that phase
    std::unique_ptr<Stepper> m_stepper;
    std::vector<std::string> m_places; ///< by tower
    std::vector<int> m_deviceNumbers;  ///< of these
    std::vector<double> m_uncertainties;
    std::map<std::string, std::string> m_notes; ///< of others, for each checkpoint
    TrainingProgress m_progress;
    bool m_timesNodes = false;
    bool m_areMasksWanted = false;
    TrainingStep m_done; ///< the last one
    Stopwatch m_stepClock;
};

} // namespace lockstep
