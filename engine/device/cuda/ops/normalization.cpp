// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/arrays/join_counters.h"
#include "device/cuda/kernels/normalization_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/cuda/runtime/memory_parts.h"

#include <utility>
#include <vector>

namespace lockstep::cuda {
namespace {

/// Rows that are normalised together are a group: each row, or all of them. Keeps src, not what it
/// became: that is cheaper to make again than to store and load.
class NormalizationOp : public Op
{
public:
    explicit NormalizationOp(Normalization spec) : m_spec(std::move(spec)) {}

    void plan(OpPlan& plan) override
    {
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == plan.src().shape.channels, "normalisation of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, layout.type);
        const bool isPerImage = m_spec.mode == NormalizationMode::PerImage;
        m_takesMoments =
            isPerImage || (m_spec.mode != NormalizationMode::Moving && plan.isTrainingPass);
        m_isSynchronised = m_spec.mode == NormalizationMode::Synchronised && plan.isTrainingPass
                           && plan.syncTowers > 1;
        m_shape.type = layout.type;
        m_shape.groups = isPerImage ? plan.examples : 1;
        m_rowsOfGroup = plan.examples / m_shape.groups;
        m_shape.positions = m_rowsOfGroup * plan.dstShape.height * plan.dstShape.width;
        m_shape.channels = plan.dstShape.channels;
        m_shape.dstStride = m_shape.channels;
        m_allPositions = m_shape.positions * (m_isSynchronised ? plan.syncTowers : 1);
        m_trains = plan.trainsParameters;
        m_offsets = plan.parameterOffsets;
        placeArrays(plan);
    }

    bool writeInto(const ChannelSlice& slice) override
    {
        const auto place = slicePlace(slice, m_shape.type);
        if (place) {
            m_shape.dstStride = place->stride;
            m_dstOffset = place->offset;
        }
        return place.has_value();
    }

    void bind(const OpMemory& memory) override { m_memory = shifted(memory, m_dstOffset); }

    [[nodiscard]] std::span<double> forwardSums() override { return syncSums(); }
    [[nodiscard]] std::span<double> backwardSums() override { return syncSums(); }

    void beginForward(const StepContext& context) override
    {
        MomentsTask task{
            m_memory.src(), scratch(), m_memory.counters, floats(m_mean), floats(m_variance)};
        if (m_isSynchronised) {
            task.sums = syncSums().data();
        }
        computeMoments(streamOf(context), m_shape, task);
    }

    void forward(const StepContext& context) override
    {
        if (m_isSynchronised) {
            finishMoments(streamOf(context), momentSums(), floats(m_mean), floats(m_variance));
        } else if (m_takesMoments) {
            beginForward(context);
        }
        normalizeForward(
            streamOf(context), m_shape, factors(context), m_memory.src(), m_memory.dst);
    }

    /// The gradients of gamma and beta are sums over the tower's own rows.
    void beginBackward(const StepContext& context) override
    {
        DiffSumsTask task;
        task.src = m_memory.src();
        task.diffDst = m_memory.diffDst;
        task.scratch = scratch();
        task.counters = m_memory.counters;
        task.gradients = gradients(context);
        if (m_isSynchronised) {
            task.sums = syncSums().data();
        } else {
            task.diffs = diffs();
        }
        sumDiffs(streamOf(context), m_shape, factors(context), task);
    }

    void backward(const StepContext& context) override
    {
        if (m_isSynchronised) {
            finishDiffs(streamOf(context), momentSums(), factors(context), diffs());
        } else if (m_trains || m_takesMoments) {
            beginBackward(context);
        }
        if (m_memory.diffSrc() != nullptr) {
            normalizeBackward(
                streamOf(context), m_shape, factors(context),
                {m_memory.src(), m_memory.diffDst, diffs(), m_memory.diffSrc()});
        }
    }

    [[nodiscard]] std::string describe() const override { return "own kernels"; }

private:
    void placeArrays(OpPlan& plan)
    {
        const auto channels = static_cast<std::size_t>(m_shape.channels);
        const std::size_t bytes =
            m_takesMoments ? static_cast<std::size_t>(m_shape.groups) * channels * sizeof(float)
                           : 0;
        for (std::size_t* array : {&m_mean, &m_variance, &m_offset, &m_slope}) {
            *array = addPart(plan.workspaceBytes, bytes);
        }
        m_sums = addPart(plan.workspaceBytes, m_isSynchronised ? 2 * channels * sizeof(double) : 0);
        plan.scratchpadBytes = normalizationScratchBytes(m_shape);
        if (m_shape.groups == 1 && plan.features.has(StepFeature::LastBlock)) {
            plan.counterBytes = joinCounterBytes(m_shape.channels);
        }
    }

    [[nodiscard]] NormalizationFactors factors(const StepContext& context) const
    {
        NormalizationFactors factors;
        factors.mean = m_takesMoments ? floats(m_mean) : parameter(context, Mean);
        factors.variance = m_takesMoments ? floats(m_variance) : parameter(context, Variance);
        factors.groupStride = m_shape.groups > 1 ? m_shape.channels : 0;
        factors.gamma = m_spec.hasScale ? parameter(context, Gamma) : nullptr;
        factors.beta = parameter(context, Beta);
        factors.epsilon = static_cast<float>(m_spec.epsilon);
        factors.hasRelu = m_spec.activation == Activation::Relu;
        return factors;
    }
    [[nodiscard]] NormalizationGradients gradients(const StepContext& context) const
    {
        NormalizationGradients gradients;
        if (m_trains) {
            const auto place = [&](Parameter number) {
                return context.gradients + offsetOf(number);
            };
            gradients.gamma = m_spec.hasScale ? place(Gamma) : nullptr;
            gradients.beta = place(Beta);
            gradients.mean = m_takesMoments ? place(Mean) : nullptr;
            gradients.variance = m_takesMoments ? place(Variance) : nullptr;
            gradients.momentScale = -context.lossScale * static_cast<double>(m_rowsOfGroup);
            gradients.varianceScale = varianceScale(m_spec, static_cast<double>(m_allPositions));
        }
        return gradients;
    }
    /// Moments that are constants have none.
    [[nodiscard]] MomentDiffs diffs() const
    {
        return m_takesMoments ? MomentDiffs{floats(m_offset), floats(m_slope)} : MomentDiffs{};
    }
    [[nodiscard]] MomentSums momentSums() const
    {
        return {syncSums().data(), m_allPositions, m_shape.channels};
    }
    [[nodiscard]] std::span<double> syncSums() const
    {
        auto* const sums = reinterpret_cast<double*>(m_memory.workspace + m_sums);
        return m_isSynchronised ? std::span(sums, static_cast<std::size_t>(2 * m_shape.channels))
                                : std::span<double>();
    }

    /// Without gamma the others keep their order.
    enum Parameter { Gamma, Beta, Mean, Variance };
    [[nodiscard]] std::int64_t offsetOf(Parameter number) const
    {
        return m_offsets.at(static_cast<std::size_t>(number) - (m_spec.hasScale ? 0 : 1));
    }
    [[nodiscard]] const float* parameter(const StepContext& context, Parameter number) const
    {
        return context.weights.values + offsetOf(number);
    }
    [[nodiscard]] float* floats(std::size_t array) const
    {
        return reinterpret_cast<float*>(m_memory.workspace + array);
    }
    [[nodiscard]] float* scratch() const { return reinterpret_cast<float*>(m_memory.scratchpad); }

    Normalization m_spec;
    NormalizationShape m_shape;
    bool m_takesMoments = false;   ///< of the rows; else the moving ones are used
    bool m_isSynchronised = false; ///< the sums are those of all towers
    bool m_trains = false;
    std::int64_t m_rowsOfGroup = 0;
    std::int64_t m_allPositions = 0; ///< that a group's moments are taken over
    std::vector<std::int64_t> m_offsets;
    std::size_t m_dstOffset = 0; ///< bytes, where dst is channels of a wider tensor
    // Arrays in the workspace.
    std::size_t m_mean = 0;
    std::size_t m_variance = 0;
    std::size_t m_offset = 0;
    std::size_t m_slope = 0;
    std::size_t m_sums = 0;
};

} // namespace

std::unique_ptr<Op> makeOp(const Normalization& normalization, CudaContext& /*context*/)
{
    return std::make_unique<NormalizationOp>(normalization);
}

} // namespace lockstep::cuda
