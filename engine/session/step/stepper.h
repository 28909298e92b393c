// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "averaging/averaging_plan.h"
#include "averaging/exchange_seconds.h"
#include "base/interface.h"
#include "base/thread_team.h"
#include "dataset/examples/dataset.h"
#include "device/accelerator.h"
#include "device/parameter_arena.h"
#include "device/step_features.h"
#include "input/pipeline_settings.h"
#include "metrics/gradient_record.h"
#include "metrics/mask_record.h"
#include "session/config/experiment.h"
#include "tower/replica.h"
#include "tower/tower_team.h"
#include "update/optimizer_settings.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// What made a step worthless; nothing of it was applied.
struct StepFault
{
    int tower = -1;     ///< whose loss or gradient it is; -1: only the average is not finite
    int parameter = -1; ///< whose gradient it is; -1: the loss
};

/// The updates of a training: a value, which knows nothing of who made it.
using UpdateSchedule = std::function<UpdateSettings(std::int64_t step)>;

/// What one step brought.
struct StepOutcome
{
    std::int64_t step = 0;
    std::vector<TowerResult> towers;
    double weightDecayLoss = 0.0; ///< of the weights before the update
    std::optional<StepFault> fault = {};
    double gradientNorm = -1.0; ///< of the average before it was clipped; -1: not looked at
    double inputSeconds = 0.0;  ///< waiting for the batch
    // Phases of the step, as in StepRecord; negative: the device does not tell.
    double computeSeconds = -1.0;
    double averagingSeconds = -1.0;
    double updateSeconds = -1.0;
    std::optional<ExchangeSeconds> exchange = {}; ///< empty: nothing is exchanged, or not told
    double queueFilled = 1.0;                     ///< of the input queue, when the batch was taken
    /// From the end of the step before to the end of this one by the device's clock; negative: the
    /// caller has to look at its own.
    double seconds = -1.0;
    /// Empty where the step was not one to measure.
    std::optional<GradientRecord> gradients = {};
    /// Empty unless Stepper::setMasksWanted() asked for them.
    std::optional<MaskRecord> masks = {};

    /// That of another step, of which nothing is known yet; keeps the memory of its towers.
    void restart(std::int64_t another)
    {
        towers.clear();
        *this = StepOutcome{another, std::move(towers)};
    }
};

/// What steps are made of. What is referred to must outlive the stepper.
struct StepperSettings
{
    std::vector<const Device*> devices; ///< one host device, or accelerators of one kind
    const NetworkSpec* network = nullptr;
    const Dataset* dataset = nullptr;
    TowerShape shape; ///< of all ranks
    RankShare share;
    Precision precision = Precision::Float32;
    MissingGradient missingGradient = MissingGradient::Error;
    MomentMerge moments = MomentMerge::Mean;
    OptimizerSettings optimizer;
    PipelineSettings input; ///< position and step are given to start()
    UpdateSchedule schedule;
    std::map<std::string, std::string> algorithms; ///< by layer; see ReplicaSettings
    std::function<bool()> mayGoOn;                 ///< while it is planned, see Planning
    /// Steps between those whose gradients are measured, from step 0 on; 0: none.
    std::int64_t gradientsEverySteps = 0;
    ExperimentSettings experiment;
    /// Accelerators: false enqueues every step anew instead of replaying a captured one, as happens
    /// by itself where it can't be captured.
    bool isCaptured = true;
    StepFeatures features = StepFeatures::all(); ///< accelerators
};

/// Makes the synchronous steps of a training, one after another:
/// next batch, split, forward and backward on all towers, average, check, update.
/// One thread at a time.
class Stepper : public Interface
{
public:
    explicit Stepper(StepperSettings settings) : m_settings(std::move(settings)) {}

    /// Begins, or begins anew, at a place in the stream of examples, with the parameters as they
    /// are in the arena. Steps that were ahead are forgotten: there must be none whose outcome
    /// matters.
    virtual void start(std::int64_t step, std::int64_t examplesSeen) = 0;

    /// The outcome of the next step. May let the devices run ahead, up to but not including step
    /// `limit`; the parameters are those after the last step only when stepsAhead() is 0. After an
    /// outcome with a fault, start() is the only call allowed. Valid until the next call; the
    /// caller may take the records out of it.
    virtual StepOutcome& next(std::int64_t limit) = 0;
    /// From the next step on. Needs stepsAhead() to be 0.
    void setSchedule(const UpdateSchedule& schedule) { m_settings.schedule = schedule; }
    /// Whether the outcomes of the next steps hold the masks that the towers predict. Where devices
    /// are ahead, it is the next step that is not under way. Of no effect where the network
    /// predicts none.
    virtual void setMasksWanted(bool /*areWanted*/) {}
    /// Steps that are under way or done and were not yet returned by next().
    [[nodiscard]] virtual std::int64_t stepsAhead() const { return 0; }

    /// The parameters, on the first device.
    [[nodiscard]] virtual const ParameterArena& arena() const = 0;
    /// After the arena was written: brings everything else in line, all devices among it.
    virtual void parametersChanged() = 0;
    /// The averaged gradient of the last step, laid out like the arena.
    [[nodiscard]] virtual const float* averagedGradient() const = 0;

    /// Threads that may plan and run replicas on the first device while no step is made.
    [[nodiscard]] virtual ThreadTeam& threads() const = 0;
    [[nodiscard]] const TowerShape& shape() const { return m_settings.shape; }
    /// Of a tower's ops.
    [[nodiscard]] virtual std::vector<OpReport> report() const = 0;
    /// Where tower `tower`, one of this rank, runs: "cpu", "cuda:1".
    [[nodiscard]] virtual std::string placeOf(int tower) const = 0;
    /// One line for people on how the towers share the devices.
    [[nodiscard]] virtual std::string describe() const = 0;
    /// Why steps that were to be replayed are enqueued anew instead, for people; empty: they are
    /// not.
    [[nodiscard]] virtual std::string captureFailure() const { return {}; }
    /// Accelerators: by how many seconds the clocks that time the towers may be apart. 0: there is
    /// but one, or it is not known yet.
    [[nodiscard]] virtual double clockUncertainty() const { return 0.0; }
    /// Accelerators: from now on steps are enqueued anew. Needs stepsAhead() to be 0.
    virtual void stopReplaying() {}
    /// Accelerators: what a step of the first device consists of, one that is not measured unless
    /// all are; none of it runs. Needs stepsAhead() to be 0.
    [[nodiscard]] virtual std::vector<GraphNode> capturedNodes() const { return {}; }
    /// Host devices: from now on the steps time every layer and objective.
    virtual void timeNodes();
    /// Times of layers and objectives since timeNodes(); empty on accelerators.
    [[nodiscard]] virtual std::vector<NodeSeconds> nodeSeconds() const { return {}; }
    /// Processor time that the host has spent on batches since start(); 0 where the device makes
    /// them.
    [[nodiscard]] virtual double inputWorkSeconds() const { return 0.0; }
    /// How they were chosen.
    [[nodiscard]] AlgorithmChoices choices() const;
    /// Memory of a tower's replicas; 0 for one of another rank.
    [[nodiscard]] virtual std::size_t bytesOf(int tower) const = 0;
    /// Memory of all own ones.
    [[nodiscard]] std::size_t bytes() const;

protected:
    StepperSettings m_settings;
};

/// The stepper for a kind of device. Plans and allocates everything; errors name layer or tower.
std::unique_ptr<Stepper> makeStepper(const StepperSettings& settings);

/// How the gradients of the towers are averaged, which are all alike.
AveragingPlan averagingOf(const StepperSettings& settings);

} // namespace lockstep
