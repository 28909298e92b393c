// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "device/device.h"
#include "device/device_input.h"
#include "device/device_reading.h"
#include "device/gradient_sums.h"
#include "device/step_state.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A place in the work of a stream that the host can wait for.
class Event : public Interface
{
public:
    /// Waits until the stream that recorded it has come there. Throws as Stream::synchronize.
    virtual void wait() const = 0;
};

class Stream;

/// What a graph consists of: a kernel, a copy.
struct GraphNode
{
    std::string part; ///< as Stream::label() said when it was captured
    std::string pass;
    std::string kernel;             ///< its name; empty: there is none, or it is unknown
    std::vector<std::size_t> after; ///< numbers of the nodes that come before
};

/// Work that was captured once and is enqueued as a whole.
class StepGraph : public Interface
{
public:
    virtual void launch(Stream& stream) const = 0;
    [[nodiscard]] virtual std::vector<GraphNode> nodes() const = 0;
};

/// A queue of work of one accelerator, done in order. What is enqueued has not happened yet when
/// the call returns. One thread at a time.
class Stream : public Interface
{
public:
    virtual void record(Event& event) = 0;
    /// What is enqueued from now on begins after the event that was recorded last.
    virtual void waitFor(const Event& event) = 0;
    /// Waits for everything. Error(Device) says what failed on the device, and that can be anything
    /// that was enqueued before.
    virtual void synchronize() = 0;
    /// From now on own kernels that it is given may be started while the one before ends, for which
    /// they wait themselves.
    virtual void overlapKernels() = 0;

    /// From now on nothing runs: what this stream is given, and streams that wait for an event of
    /// it, is gathered into a graph.
    virtual void beginCapture() = 0;
    /// What is captured from now on, by this thread, is part `part` of a step: a layer, "update";
    /// `pass` tells its passes apart. Of no effect where nothing is captured.
    virtual void label(std::string_view part, std::string_view pass) = 0;
    /// All those streams must have been waited for.
    [[nodiscard]] virtual std::unique_ptr<StepGraph> endCapture() = 0;
};

/// The lanes of one device and where their average goes.
struct AverageTask
{
    StepState* state = nullptr;
    /// In tower order, in memory of the device. The gradients begin at the same offset as dst.
    const WeightedGradient* lanes = nullptr;
    int laneCount = 0;
    int firstTower = 0; ///< number of the tower of lane 0, for the report of a fault
    std::int64_t offset = 0;
    std::int64_t count = 0;
    float* dst = nullptr; ///< start of the arena part; may be that of the only lane, of weight 1
    std::int64_t* begins = nullptr; ///< takes the device's clock as it begins; null: not wanted
};

/// A sync point of the towers of one device, in the middle of a pass: each has its own sums.
struct TowerSumTask
{
    double* const* sums = nullptr; ///< by tower, in memory of the device
    int towers = 0;
    std::int64_t count = 0;
    int terms = 0; ///< the first so many are added up; the others only get the sum
};

/// What makes a loss: checked before anything is updated.
struct LossCheckTask
{
    StepState* state = nullptr;
    const ObjectiveResult* results = nullptr; ///< of the towers of this device, tower by tower
    int towers = 0;
    int objectives = 0;
    int firstTower = 0;
    /// Made not a number if a loss is, so that every device of a sum gets to know; may be null.
    float* poison = nullptr;
    /// Bit i: objective i trains nothing, so that its loss does no harm.
    std::uint32_t inactive = 0;
};

/// A piece of a parameter, as update takes it.
struct UpdateChunk
{
    std::int64_t offset = 0;
    std::int32_t count = 0;
    float weightDecay = 0.0F;
    /// Of a statistic, 1 - its decay: takes the place of the learning rate, by the rule of Sgd,
    /// with a weight decay of 1 that is no loss; see Optimizer. 0: it is a weight.
    float momentRate = 0.0F;
};

/// One step of the optimizer, see UpdateRule; does nothing where the state has a fault. Without a
/// gradient it only makes what follows from the weights: operands and squares.
struct UpdateTask
{
    StepState* state = nullptr;
    const StepOrder* orders = nullptr; ///< ring of orderSlots, memory of the device
    std::int64_t orderSlots = 0;
    const UpdateChunk* chunks = nullptr; ///< memory of the device
    std::int64_t chunkCount = 0;
    const float* gradient = nullptr;
    float* weights = nullptr;
    float* average = nullptr;
    std::byte* operands = nullptr; ///< rounded copy of the weights; null where there is none
    /// By chunk: weightDecay / 2 * sum of squares of the new weights, or 0, see decaysByLoss().
    double* squares = nullptr;
    UpdateConstants constants = {};
    std::array<float*, kMostSlots> optimizerState = {}; ///< of the whole arena, as weights
    std::int64_t* begins = nullptr;                     ///< as AverageTask's
    /// See OptimizerSettings; 0: the gradient is as it is. Its sums lie in squares for a while.
    float clipNorm = 0.0F;
    GradientSums sums = {}; ///< of a measured step: where those of weights and update go
};

/// The towers' gradients of a measured step against their average, chunk by chunk.
struct MeasureTask
{
    AverageTask average; ///< of the whole arena
    /// The average of all devices is there; else it is made on the way, of the chunks.
    bool isAveraged = false;
    const UpdateChunk* chunks = nullptr; ///< memory of the device
    GradientSums sums;
};

/// The end of a step: sums the weight decay, writes the report, counts on.
struct FinishTask
{
    StepState* state = nullptr;
    const double* squares = nullptr;
    std::int64_t chunkCount = 0;
    const ObjectiveResult* results = nullptr;
    int resultCount = 0;          ///< towers of this device x objectives
    std::byte* reports = nullptr; ///< ring in host memory that the device can write
    std::int64_t reportSlots = 0;
    std::size_t reportBytes = 0; ///< of a slot: StepReport, resultCount ObjectiveResults, stamps
    const std::int64_t* stamps = nullptr; ///< of the step, to be copied into the slot
    int stampCount = 0;
};

/// All that is left of a step when its gradients are there: StepFeature::Tail.
struct TailTask
{
    /// Of the whole arena. Without lanes the average is there and only checked.
    AverageTask average;
    const WeightedGradient* momentLanes = nullptr; ///< those of the average of statistics
    LossCheckTask losses;                          ///< without towers: that was done
    UpdateTask update;                             ///< with a gradient, not measured
    FinishTask finish;
};

/// What a kernel took, over all of its runs.
struct KernelTime
{
    std::string name;
    std::int64_t runs = 0;
    double seconds = 0.0;
};

/// What ran on an accelerator.
struct KernelTrace
{
    double busySeconds = 0.0;        ///< in which at least one kernel ran
    std::vector<KernelTime> kernels; ///< the most time first
};

/// The members of sums over several accelerators, of one process or several.
struct SumMembers
{
    std::string key; ///< of Accelerator::makeSumKey(): by it they find each other
    int all = 0;
    int firstOwn = 0; ///< number of this process's first one
};

/// Sums over several accelerators. Made for all of a process at once; a member is used by the
/// thread of its device.
class Communicator : public Interface
{
public:
    /// Enqueues values[i] = sum over the devices of values[i]. The bits are the same on all
    /// devices, and the same again on the same machine.
    virtual void sum(float* values, std::int64_t count, Stream& stream) = 0;
    virtual void sum(double* values, std::int64_t count, Stream& stream) = 0;
    /// What is used, for the record: "NCCL 2.28.3, ring, simple".
    [[nodiscard]] virtual std::string describe() const = 0;
};

/// A device with memory of its own, which does what it is given later, in the order of streams.
/// `enqueue…` adds work to a stream and returns.
class Accelerator : public Device
{
public:
    [[nodiscard]] const Accelerator* accelerator() const final { return this; }
    [[nodiscard]] virtual std::unique_ptr<Event> makeEvent() const = 0;
    /// Memory of the host that the device can read and write, also while the host does not look.
    [[nodiscard]] virtual DeviceMemory allocateShared(std::size_t bytes) const = 0;

    /// `host` must be shared memory and stay unchanged until the copy was done.
    virtual void enqueueCopyIn(
        Stream& stream, std::byte* device, const void* host, std::size_t bytes) const = 0;
    /// Every tower's sums become the sum over the task's terms, in tower order.
    virtual void enqueueTowerSum(Stream& stream, const TowerSumTask& task) const = 0;
    /// sum[i] += addend[i], of as many values.
    virtual void enqueueAdd(Stream& stream, std::span<float> sum, const float* addend) const = 0;
    /// Averages, and notes in the state the first value that is not finite, and whose it is.
    virtual void enqueueAverage(Stream& stream, const AverageTask& task) const = 0;
    /// Notes in the state the first value of a range that is not finite.
    virtual void enqueueCheck(
        Stream& stream, StepState* state, std::span<const float> values,
        std::int64_t offset) const = 0;
    virtual void enqueueLossCheck(Stream& stream, const LossCheckTask& task) const = 0;
    virtual void enqueueMeasure(Stream& stream, const MeasureTask& task) const = 0;
    virtual void enqueueUpdate(Stream& stream, const UpdateTask& task) const = 0;
    virtual void enqueueFinish(Stream& stream, const FinishTask& task) const = 0;
    /// The average, the checks, the update and the end of a step as one.
    virtual void enqueueTail(Stream& stream, const TailTask& task) const = 0;
    /// Notes what the device's clock says when all before is done, in memory of the device.
    virtual void enqueueStamp(Stream& stream, std::int64_t* place) const = 0;

    /// Made once for a sum, by one process, which tells it to the others.
    [[nodiscard]] virtual std::string makeSumKey() const = 0;
    /// Joins devices of one kind, this one the first of them, with those of other processes, for
    /// which it waits; one member for each, in their order.
    [[nodiscard]] virtual std::vector<std::unique_ptr<Communicator>> connect(
        std::span<const Accelerator* const> devices, const SumMembers& members) const = 0;

    /// Any thread, at any time.
    [[nodiscard]] virtual DeviceReading reading() const = 0;
    /// Runs `work`, which must wait for what it enqueues, and tells which kernels ran. That slows
    /// the work down, the kernels themselves hardly. Error(Device) where kernels can't be observed.
    /// One at a time in a process.
    [[nodiscard]] virtual KernelTrace trace(const std::function<void()>& work) const = 0;
};

} // namespace lockstep
