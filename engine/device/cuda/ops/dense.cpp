// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/arrays/cast_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/plans/algorithm_text.h"
#include "device/cuda/plans/matmul_plan.h"
#include "device/cuda/runtime/cuda_context.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/cuda/runtime/memory_parts.h"

#include <algorithm>
#include <utility>

namespace lockstep::cuda {
namespace {

/// Src is read as it lies, position by position: the weights in the arena are in that order,
/// [units, src]. Without activation dst is float32 in every precision: it is what a loss reads.
class DenseOp : public Op
{
public:
    DenseOp(Dense dense, CudaContext& context) : m_dense(std::move(dense)), m_context(context) {}

    void plan(OpPlan& plan) override
    {
        m_type = activationType(plan.precision);
        m_isRelu = m_dense.activation == Activation::Relu;
        m_dstType = m_isRelu ? m_type : DataType::Float32;
        m_srcType = layoutOf(plan.src()).type;
        m_weightsOffset = plan.weightsOffset();
        m_biasOffset = plan.biasOffset();
        m_examples = plan.examples;
        m_srcValues =
            static_cast<std::int64_t>(plan.src().bytes / bytesOf(m_srcType)) / plan.examples;
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_dstType);
        if (m_srcType != m_type) {
            m_roundedSrc = addPart(
                plan.workspaceBytes,
                static_cast<std::size_t>(m_examples * m_srcValues) * bytesOf(m_type));
        }
        planForward(plan);
        if (plan.isTraining) {
            planBackward(plan);
        }
    }

    void forward(const StepContext& context) override
    {
        cudaStream_t stream = streamOf(context);
        if (m_srcType != m_type) {
            narrow(
                stream, reinterpret_cast<const float*>(m_memory.src()),
                reinterpret_cast<Bfloat16*>(m_memory.workspace + m_roundedSrc),
                m_examples * m_srcValues);
        }
        m_products.forward->run(
            stream,
            {operandSrc(), operandsAt(context.weights, m_weightsOffset, m_type),
             context.weights.values + m_biasOffset,
             m_type == DataType::Bfloat16 ? operandsAt(context.weights, m_biasOffset, m_type)
                                          : nullptr,
             m_memory.dst, m_memory.scratchpad});
    }

    void backward(const StepContext& context) override
    {
        cudaStream_t stream = streamOf(context);
        std::byte* rounded = m_memory.scratchpad + m_roundedDiffDst;
        std::byte* workspace = m_memory.scratchpad + m_backwardWorkspace;
        biasBackward(
            stream, {{m_memory.diffDst, m_dstType, m_examples, m_dense.units},
                     m_isRelu ? m_memory.dst : nullptr,
                     m_dstType != m_type ? reinterpret_cast<Bfloat16*>(rounded) : nullptr,
                     m_products.weightGradient ? context.gradients + m_biasOffset : nullptr,
                     reinterpret_cast<float*>(workspace)});
        const std::byte* diffDst = m_dstType != m_type ? rounded : m_memory.diffDst;
        if (m_products.weightGradient) {
            m_products.weightGradient->run(
                stream, {diffDst, operandSrc(), nullptr, nullptr,
                         context.gradients + m_weightsOffset, workspace});
        }
        if (m_products.dataGradient) {
            m_products.dataGradient->run(
                stream, {diffDst, operandsAt(context.weights, m_weightsOffset, m_type), nullptr,
                         nullptr, m_memory.diffSrc(), workspace});
        }
    }

    [[nodiscard]] std::string describe() const override { return m_products.describe(); }

private:
    /// A product of this layer's operands.
    [[nodiscard]] MatmulSpec makeSpec(const OpPlan& plan, const char* part) const
    {
        MatmulSpec spec;
        spec.type = m_type;
        spec.precision = plan.precision;
        spec.algorithm = partOf(plan.algorithm, part);
        return spec;
    }

    /// dst[example, unit] = sum over src of src * weights[unit, src].
    void planForward(OpPlan& plan)
    {
        MatmulSpec spec = makeSpec(plan, "fprop");
        spec.rows = m_examples;
        spec.columns = m_dense.units;
        spec.depth = m_srcValues;
        spec.transposeB = true;
        spec.dstType = m_dstType;
        spec.epilogue = m_isRelu ? MatmulEpilogue::BiasRelu : MatmulEpilogue::Bias;
        m_products.forward = planMatmul(m_context, spec, plan.planning);
        plan.scratchpadBytes = m_products.forward->workspaceBytes();
    }

    /// diffWeights[unit, src] = sum over examples of diffDst * src, diffSrc[example, src] = sum
    /// over units of diffDst * weights.
    void planBackward(OpPlan& plan)
    {
        std::size_t workspaceBytes = 0;
        if (plan.trainsParameters) {
            MatmulSpec spec = makeSpec(plan, "wgrad");
            spec.rows = m_dense.units;
            spec.columns = m_srcValues;
            spec.depth = m_examples;
            spec.transposeA = true;
            spec.dstType = DataType::Float32;
            m_products.weightGradient = planMatmul(m_context, spec, plan.planning);
            workspaceBytes = std::max(
                m_products.weightGradient->workspaceBytes(),
                biasBackwardScratchBytes({nullptr, m_dstType, m_examples, m_dense.units}));
        }
        if (plan.needsDiffSrc()) {
            MatmulSpec spec = makeSpec(plan, "dgrad");
            spec.rows = m_examples;
            spec.columns = m_srcValues;
            spec.depth = m_dense.units;
            spec.dstType = m_srcType;
            m_products.dataGradient = planMatmul(m_context, spec, plan.planning);
            workspaceBytes = std::max(workspaceBytes, m_products.dataGradient->workspaceBytes());
        }
        std::size_t bytes = 0;
        if (m_dstType != m_type) {
            m_roundedDiffDst = addPart(
                bytes, static_cast<std::size_t>(m_examples * m_dense.units) * bytesOf(m_type));
        }
        m_backwardWorkspace = addPart(bytes, workspaceBytes);
        plan.scratchpadBytes = std::max(plan.scratchpadBytes, bytes);
    }

    [[nodiscard]] const std::byte* operandSrc() const
    {
        return m_srcType != m_type ? m_memory.workspace + m_roundedSrc : m_memory.src();
    }

    Dense m_dense;
    CudaContext& m_context;
    DataType m_type = DataType::Float32; ///< of the operands of all products
    DataType m_srcType = DataType::Float32;
    DataType m_dstType = DataType::Float32;
    bool m_isRelu = false;
    std::int64_t m_weightsOffset = 0;
    std::int64_t m_biasOffset = 0;
    std::int64_t m_examples = 0;
    std::int64_t m_srcValues = 0; ///< of one example, as they are stored

    LayerProducts<Matmul> m_products;
    std::size_t m_roundedSrc = 0;        ///< in the workspace
    std::size_t m_roundedDiffDst = 0;    ///< in the scratchpad
    std::size_t m_backwardWorkspace = 0; ///< in the scratchpad
};

} // namespace

std::unique_ptr<Op> makeOp(const Dense& dense, CudaContext& context)
{
    return std::make_unique<DenseOp>(dense, context);
}

} // namespace lockstep::cuda
