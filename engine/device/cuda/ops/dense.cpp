// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/arrays/cast_kernel.h"
#include "device/cuda/arrays/join_counters.h"
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
/// Where another such layer reads dst, its data gradient goes back through the ReLU, by the mask
/// that the product here leaves, and the weight gradient here makes that of the bias.
class DenseOp : public Op
{
public:
    DenseOp(Dense dense, CudaContext& context) : m_dense(std::move(dense)), m_context(context) {}

    [[nodiscard]] bool masksGradient() const override { return true; }

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
            leaveGradient(plan);
            planBackward(plan);
        }
    }

    void bind(const OpMemory& memory) override
    {
        Op::bind(memory);
        if (m_mask) {
            m_mask->bits = memory.workspace + m_maskOffset;
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
             m_memory.dst, m_memory.scratchpad, m_mask ? m_mask->bits : nullptr});
    }

    void backward(const StepContext& context) override
    {
        cudaStream_t stream = streamOf(context);
        float* diffBias = context.gradients + m_biasOffset;
        std::byte* rounded = m_memory.scratchpad + m_roundedDiffDst;
        std::byte* workspace = m_memory.scratchpad + m_backwardWorkspace;
        biasBackward(
            stream, {{m_memory.diffDst, m_dstType, m_examples, m_dense.units},
                     m_isRelu && !m_isGradientLeft ? m_memory.dst : nullptr,
                     m_dstType != m_type ? reinterpret_cast<Bfloat16*>(rounded) : nullptr,
                     m_biasGradient == BiasGradient::InPass ? diffBias : nullptr,
                     reinterpret_cast<float*>(workspace),
                     m_memory.counters});
        const std::byte* diffDst = m_dstType != m_type ? rounded : m_memory.diffDst;
        if (m_products.weightGradient) {
            m_products.weightGradient->run(
                stream,
                {diffDst, operandSrc(), nullptr, nullptr, context.gradients + m_weightsOffset,
                 workspace, nullptr, nullptr, diffBias});
        }
        if (m_products.dataGradient) {
            m_products.dataGradient->run(
                stream, {diffDst, operandsAt(context.weights, m_weightsOffset, m_type), nullptr,
                         nullptr, m_memory.diffSrc(), workspace,
                         m_srcMask ? m_srcMask->bits : nullptr, m_memory.src()});
        }
    }

    [[nodiscard]] std::string describe() const override { return m_products.describe(); }

private:
    /// Who makes the gradient of the bias.
    enum class BiasGradient { None, InPass, InProduct };

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
        if (m_isRelu && plan.isTraining && plan.mayLeaveMask) {
            planMask(spec, plan);
        }
        if (!m_mask) {
            m_products.forward = planMatmul(m_context, spec, plan.planning);
        }
        plan.scratchpadBytes = m_products.forward->workspaceBytes();
    }

    /// Only if cuBLASLt can: kernels of ours don't know its masks.
    void planMask(MatmulSpec spec, OpPlan& plan)
    {
        spec.epilogue = MatmulEpilogue::BiasReluMask;
        try {
            m_products.forward = planMatmul(m_context, spec, plan.planning);
        } catch (const Error& error) {
            // "No algorithm", not a GPU that was broken by one.
            if (error.code() != ErrorCode::Device || cudaDeviceSynchronize() != cudaSuccess) {
                throw;
            }
            return;
        }
        m_mask = std::make_shared<ReluMask>();
        m_maskOffset = addPart(plan.workspaceBytes, maskBytes(spec));
        CudaLayout layout = layoutOf(plan.dst);
        layout.mask = m_mask;
        plan.dst.layout = layout;
    }

    /// What the reader of dst does, and who makes the gradient of the bias.
    void leaveGradient(OpPlan& plan)
    {
        m_isGradientLeft = m_isRelu && (plan.mayLeaveGradient || m_mask);
        const bool isBiasLeft = m_isGradientLeft && plan.mayLeaveGradient;
        if (m_isGradientLeft) {
            plan.dst.finish = GradientFinish{
                Activation::Relu, isBiasLeft && plan.trainsParameters ? m_biasOffset : -1};
        }
        const bool hasPass = (m_isRelu && !m_isGradientLeft) || m_dstType != m_type;
        if (!plan.trainsParameters || isBiasLeft) {
            m_biasGradient = BiasGradient::None;
        } else if (!hasPass && plan.features.has(StepFeature::Epilogues)) {
            m_biasGradient = BiasGradient::InProduct;
        }
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
            spec.epilogue = m_biasGradient == BiasGradient::InProduct ? MatmulEpilogue::BiasGradient
                                                                      : MatmulEpilogue::None;
            m_products.weightGradient = planMatmul(m_context, spec, plan.planning);
            workspaceBytes = m_products.weightGradient->workspaceBytes();
        }
        if (m_biasGradient == BiasGradient::InPass) {
            workspaceBytes = std::max(
                workspaceBytes,
                biasBackwardScratchBytes({nullptr, m_dstType, m_examples, m_dense.units}));
            if (plan.features.has(StepFeature::LastBlock)) {
                plan.counterBytes = joinCounterBytes(m_dense.units);
            }
        }
        if (plan.needsDiffSrc()) {
            MatmulSpec spec = makeSpec(plan, "dgrad");
            spec.rows = m_examples;
            spec.columns = m_srcValues;
            spec.depth = m_dense.units;
            spec.dstType = m_srcType;
            if (plan.src().finish) {
                m_srcMask = layoutOf(plan.src()).mask;
                spec.epilogue = MatmulEpilogue::ReluGradient;
            }
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
    BiasGradient m_biasGradient = BiasGradient::InPass; ///< none: another op, or nobody
    bool m_isGradientLeft = false;                      ///< diffDst comes through the ReLU already
    std::shared_ptr<ReluMask> m_mask;                   ///< of dst; null: there is none
    std::shared_ptr<ReluMask> m_srcMask; ///< by which diffSrc goes back through a ReLU
    std::size_t m_maskOffset = 0;        ///< in the workspace
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
