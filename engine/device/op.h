// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/interface.h"
#include "base/mixed_label.h"
#include "base/shape.h"
#include "device/planning.h"
#include "device/precision.h"
#include "device/step_features.h"
#include "network/layer_spec.h"

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// What the one reader of a tensor may do for the op that made it, in its own backward pass.
struct GradientFinish
{
    /// The gradient that the reader hands back is through this activation already: 0 where a ReLU
    /// gave something that is not greater than 0; a NaN passes, or is 0 where cuBLASLt's mask says
    /// so: such a loss refuses the step anyway.
    Activation activation = Activation::None;
    /// Where the sum of that gradient over all positions goes, as an offset of a parameter in
    /// StepContext::gradients; -1: nobody wants it.
    std::int64_t biasOffset = -1;
};

/// A tensor between two ops: its meaning, and the device's own idea of how it lies in memory. The
/// gradient of a tensor lies in memory like the tensor.
struct TensorPlan
{
    std::int64_t examples = 0;
    Shape shape;     ///< of one example
    std::any layout; ///< what the device needs to know; only its own ops look inside
    std::size_t bytes = 0;
    /// Activation that the values have yet to go through: their one reader applies it, and the
    /// gradient that it hands back is that of the values before it. Spares two passes over memory.
    Activation pending = Activation::None;
    /// What the reader must do, see OpPlan::mayLeaveGradient; none: the maker does all that itself.
    std::optional<GradientFinish> finish = std::nullopt;
};

/// Channels of a wider tensor, side by side with those of others.
struct ChannelSlice
{
    TensorPlan whole;
    std::int64_t firstChannel = 0;
};

/// Question and answer of Op::plan. Offsets count floats from the start of the parameter arena.
struct OpPlan
{
    // Given.
    std::int64_t examples = 0;
    bool isTraining = false;         ///< backward will be called
    bool isTrainingPass = false;     ///< the replica trains, whether or not this layer does
    bool trainsParameters = false;   ///< backward must make the gradients of the parameters
    bool mayLeaveActivation = false; ///< dst may have TensorPlan::pending
    bool mayLeaveGradient = false;   ///< dst may have TensorPlan::finish
    bool mayLeaveMask = false;       ///< the same, without a bias
    bool keepsInner = false; ///< of a fused op: the tensor between its halves is wanted, see inner
    int threads = 1;         ///< threads that the op may use
    Precision precision = Precision::Float32;
    StepFeatures features = StepFeatures::all(); ///< accelerators
    /// What describe() said when this layer was planned before on such a device, so that the same
    /// is chosen again; empty: choose. An op whose device knows it no longer chooses anew. Parts
    /// that are left open by a text that ends in kFirstAlgorithm are taken untimed.
    std::string algorithm;
    /// Towers that add up the sums of Op::forwardSums() and backwardSums(); 1: there are none, and
    /// the op works with the rows of this replica alone.
    int syncTowers = 1;
    std::vector<TensorPlan> srcs; ///< of the layer's inputs, in their order; none: the input layer
    std::vector<bool> needsDiffSrcs; ///< for each of them: backward must make its gradient
    bool mayAddDiffSrc = false; ///< diffSrc of the one source holds another op's gradient by then
    Shape dstShape;
    std::vector<std::int64_t> parameterOffsets; ///< of the layer's parameters, in their order
    // What is drawn at random is a function of these and of the step, see network/dropout.h.
    int layer = 0;             ///< its number in the network
    std::uint64_t seed = 0;    ///< of the run
    std::int64_t firstRow = 0; ///< of the replica, in the batch of all towers

    Planning planning; ///< `mayGoOn` is given, the rest answered

    // Answered by the op.
    TensorPlan dst;
    /// Of a fused op: the tensor between its halves; forward must fill OpMemory::inner where
    /// keepsInner says so.
    TensorPlan inner;
    bool addsDiffSrc = false; ///< where it may: backward adds to diffSrc, which others overwrite
    std::size_t workspaceBytes = 0;  ///< kept from forward to backward
    std::size_t scratchpadBytes = 0; ///< used within one call
    std::size_t counterBytes = 0;    ///< zero before a call, and again after it

    // For ops with one source, and with weights and bias.
    [[nodiscard]] const TensorPlan& src() const { return srcs.front(); }
    [[nodiscard]] bool needsDiffSrc() const
    {
        return std::ranges::find(needsDiffSrcs, true) != needsDiffSrcs.end();
    }
    [[nodiscard]] std::int64_t weightsOffset() const { return parameterOffsets.front(); }
    [[nodiscard]] std::int64_t biasOffset() const { return parameterOffsets.back(); }
};

/// Addresses of a planned op, valid for the life of its replica; null where the plan needs none.
struct OpMemory
{
    std::vector<std::byte*> srcs;
    std::vector<std::byte*> diffSrcs; ///< as many; null where no gradient is needed
    std::byte* dst = nullptr;
    std::byte* diffDst = nullptr; ///< backward may change it: the op is its only reader
    std::byte* workspace = nullptr;
    std::byte* scratchpad = nullptr;
    std::byte* inner = nullptr;        ///< see OpPlan::keepsInner
    std::uint32_t* counters = nullptr; ///< OpPlan::counterBytes

    // For ops with one source.
    [[nodiscard]] std::byte* src() const { return srcs.front(); }
    [[nodiscard]] std::byte* diffSrc() const { return diffSrcs.front(); }
};

/// What an objective found in the rows of one replica.
struct ObjectiveResult
{
    double lossSum = 0.0; ///< sum over the rows, not the mean
    /// Rows that are answered correctly. Softmax: the largest logit (the first one, if several) is
    /// the label's. Sigmoid, target MaskSum: the logit is positive just where the target is at
    /// least 0.5. Sigmoid, target Mask: so is any cell's logit, just where any cell of the mask is.
    std::int64_t correct = 0;
};

class Stream;
struct DeviceInput;
struct StepState;

/// Parameters as ops read them: raw or moving average.
struct WeightsView
{
    WeightsView() = default;
    // A device without operand copies needs the values only.
    WeightsView(const float* start, const std::byte* copies = nullptr)
        : values(start), operands(copies)
    {
    }

    const float* values = nullptr; ///< start of the arena part
    /// The same values rounded to what the device multiplies with, at the same places; null where
    /// Device::operandBytes is 0.
    const std::byte* operands = nullptr;
};

/// What one pass through a replica works on. All memory is the device's.
struct StepContext
{
    WeightsView weights;
    float* gradients = nullptr;    ///< start of this replica's gradients, same offsets
    std::span<const float> images; ///< rows x height x width x channels; host devices
    std::span<const std::int32_t> labels;
    std::span<const float> masks; ///< rows x height x width of NetworkSpec::maskShape; may be none
    std::span<const MixedLabel> mixed; ///< by row; none: rows are not mixed
    double lossScale = 1.0;      ///< d(loss)/d(loss of one row): 1 / rows of the tower's batch
    std::int64_t step = 0;       ///< that the pass belongs to; host devices
    std::int64_t rowsBefore = 0; ///< as BatchSlice's
    std::span<ObjectiveResult> results; ///< one for each objective
    Stream* stream = nullptr;           ///< accelerators: where the work is enqueued
    const DeviceInput* input = nullptr; ///< accelerators, forward: where the rows come from
    const StepState* state = nullptr;   ///< accelerators: says which step it is; null: step 0
    /// Accelerators: where an objective notes the device's clock when it has its loss; null:
    /// nowhere.
    std::int64_t* afterForward = nullptr;
};

/// One layer, or objective, of one replica on one device. Called in this order, always from the
/// thread of its lane: plan, what asks about slices, bind, then forward and backward any number of
/// times. After bind nothing is allocated and nothing is decided. Throws Error or the exceptions of
/// the library below.
class Op : public Interface
{
public:
    /// Whether the op applies the activation that its source left pending.
    [[nodiscard]] virtual bool appliesPending() const { return false; }
    /// Whether the op would do what TensorPlan::finish asks, for its one source.
    [[nodiscard]] virtual bool finishesGradient() const { return false; }
    /// Whether it would take the gradient back through an activation, but not make that of a bias.
    [[nodiscard]] virtual bool masksGradient() const { return false; }
    virtual void plan(OpPlan& plan) = 0;

    // What only puts the channels of its sources side by side need not copy those that are written
    // there in the first place.
    /// Dst is the sources in their order, and nothing else.
    [[nodiscard]] virtual bool joinsChannels() const { return false; }
    /// Source number `source` is in dst, its gradient in diffDst: there is nothing to move.
    virtual void takeInPlace(std::size_t /*source*/) {}
    /// Dst and its gradient shall be these channels of a wider tensor and of its gradient, whose
    /// addresses bind() gives. False: the op can't, and they are tensors of their own.
    virtual bool writeInto(const ChannelSlice& /*slice*/) { return false; }

    virtual void bind(const OpMemory& memory) { m_memory = memory; }
    virtual void forward(const StepContext& context) = 0;
    /// From diffDst: the gradients of the parameters (overwritten, not added to) and the diffSrcs.
    virtual void backward(const StepContext& context) = 0;

    // Synchronised ops need sums over the rows of all towers, in the middle of a pass. begin…
    // leaves those over this replica's rows in …Sums(), in the device's memory; before forward or
    // backward goes on, somebody has replaced them by the sums over OpPlan::syncTowers towers.
    // Empty, as with all other ops: begin… is not called. May be asked after bind.
    [[nodiscard]] virtual std::span<double> forwardSums() { return {}; }
    [[nodiscard]] virtual std::span<double> backwardSums() { return {}; }
    virtual void beginForward(const StepContext& /*context*/) {}
    virtual void beginBackward(const StepContext& /*context*/) {}

    /// The algorithm that was chosen, for people: "jit:avx512_core". The default: there is no
    /// choice.
    [[nodiscard]] virtual std::string describe() const { return "own kernel"; }

protected:
    OpMemory m_memory;
};

} // namespace lockstep
