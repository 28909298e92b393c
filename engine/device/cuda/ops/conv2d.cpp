// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/arrays/bias_relu_kernel.h"
#include "device/cuda/arrays/join_counters.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/plans/algorithm_text.h"
#include "device/cuda/plans/convolution_plan.h"
#include "device/cuda/plans/operand_image.h"
#include "device/cuda/runtime/cuda_context.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/cuda/runtime/memory_parts.h"

#include <algorithm>
#include <utility>

namespace lockstep::cuda {
namespace {

/// Weights lie in the arena as [channels, kernel height, kernel width, stored src channels].
class Conv2dOp : public Op
{
public:
    Conv2dOp(Conv2d conv, CudaContext& context) : m_conv(std::move(conv)), m_context(context) {}

    void plan(OpPlan& plan) override
    {
        m_type = activationType(plan.precision);
        m_isRelu = m_conv.activation == Activation::Relu;
        m_weightsOffset = plan.weightsOffset();
        m_biasOffset = plan.biasOffset();
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_type);
        m_positions = plan.examples * plan.dstShape.height * plan.dstShape.width;
        leaveGradient(plan);
        m_src.plan(plan, m_conv.kernel, m_conv.stride, m_conv.padding);
        if (m_conv.groups > 1 && m_src.shape().channels != plan.src().shape.channels) {
            fail(
                ErrorCode::BadInput,
                "a GPU does not convolve the images themselves in groups; put a convolution of one "
                "group before it");
        }
        const ConvolutionSpec spec = makeSpec(plan);
        planForward(plan, spec);
        if (plan.isTraining) {
            planBackward(plan, spec);
        }
    }

    void forward(const StepContext& context) override
    {
        cudaStream_t stream = streamOf(context);
        m_src.make(stream, m_memory);
        m_products.forward->run(
            stream, {m_src.address(m_memory), operands(context),
                     context.weights.values + m_biasOffset, m_memory.dst, m_memory.scratchpad});
    }

    void backward(const StepContext& context) override
    {
        cudaStream_t stream = streamOf(context);
        if (!m_isGradientFinished) {
            finishGradient(context);
        }
        if (m_products.weightGradient) {
            m_products.weightGradient->run(
                stream, {m_src.address(m_memory), context.gradients + m_weightsOffset, nullptr,
                         m_memory.diffDst, m_memory.scratchpad});
        }
        if (m_products.dataGradient) {
            m_products.dataGradient->run(
                stream, {m_src.diffAddress(m_memory), operands(context), nullptr, m_memory.diffDst,
                         m_memory.scratchpad + m_dataWorkspace});
            m_src.finishDiff(stream, m_memory);
        }
    }

    [[nodiscard]] std::string describe() const override { return m_products.describe(); }

private:
    /// Where the one reader of dst makes the end of the way back.
    void leaveGradient(OpPlan& plan)
    {
        const bool hasBias = plan.trainsParameters && m_conv.hasBias;
        m_isGradientFinished = plan.mayLeaveGradient && (m_isRelu || hasBias);
        if (m_isGradientFinished) {
            plan.dst.finish = {
                m_isRelu ? Activation::Relu : Activation::None, hasBias ? m_biasOffset : -1};
        }
    }

    void finishGradient(const StepContext& context)
    {
        biasBackward(
            streamOf(context),
            {{m_memory.diffDst, m_type, m_positions, m_conv.channels},
             m_isRelu ? m_memory.dst : nullptr,
             nullptr,
             m_products.weightGradient && m_conv.hasBias ? context.gradients + m_biasOffset
                                                         : nullptr,
             reinterpret_cast<float*>(m_memory.scratchpad),
             m_memory.counters});
    }

    /// What the three directions have in common.
    [[nodiscard]] ConvolutionSpec makeSpec(const OpPlan& plan) const
    {
        ConvolutionSpec spec;
        spec.type = m_type;
        spec.precision = plan.precision;
        spec.examples = plan.examples;
        spec.src = m_src.shape();
        spec.dst = plan.dstShape;
        spec.kernel = m_conv.kernel;
        spec.stride = m_conv.stride;
        spec.padding = m_src.padding();
        spec.groups = m_conv.groups;
        return spec;
    }

    void planForward(OpPlan& plan, ConvolutionSpec spec)
    {
        spec.direction = ConvolutionDirection::Forward;
        spec.hasBias = m_conv.hasBias;
        spec.hasRelu = m_isRelu;
        spec.algorithm = partOf(plan.algorithm, "fprop");
        m_products.forward = planConvolution(m_context, spec, plan.planning);
        plan.scratchpadBytes = m_products.forward->workspaceBytes();
    }

    void planBackward(OpPlan& plan, ConvolutionSpec spec)
    {
        if (plan.trainsParameters) {
            spec.direction = ConvolutionDirection::WeightGradient;
            spec.algorithm = partOf(plan.algorithm, "wgrad");
            m_products.weightGradient = planConvolution(m_context, spec, plan.planning);
            plan.scratchpadBytes = std::max(
                {plan.scratchpadBytes, m_products.weightGradient->workspaceBytes(),
                 biasBackwardScratchBytes({nullptr, m_type, m_positions, m_conv.channels})});
            if (m_conv.hasBias && !m_isGradientFinished
                && plan.features.has(StepFeature::LastBlock)) {
                plan.counterBytes = joinCounterBytes(m_conv.channels);
            }
        }
        if (plan.needsDiffSrc()) {
            spec.direction = ConvolutionDirection::DataGradient;
            spec.adds = plan.addsDiffSrc = plan.mayAddDiffSrc && m_src.mayAddDiff();
            spec.algorithm = partOf(plan.algorithm, "dgrad");
            m_products.dataGradient = planConvolution(m_context, spec, plan.planning);
            std::size_t bytes = 0;
            m_src.planDiff(bytes);
            m_dataWorkspace = addPart(bytes, m_products.dataGradient->workspaceBytes());
            plan.scratchpadBytes = std::max(plan.scratchpadBytes, bytes);
        }
    }

    /// The weights as they are multiplied. cuDNN only reads them.
    [[nodiscard]] void* operands(const StepContext& context) const
    {
        return const_cast<void*>(operandsAt(context.weights, m_weightsOffset, m_type));
    }

    Conv2d m_conv;
    CudaContext& m_context;
    DataType m_type = DataType::Float32;
    bool m_isRelu = false;
    bool m_isGradientFinished = false; ///< diffDst is that of the sums before bias and ReLU
    std::int64_t m_weightsOffset = 0;
    std::int64_t m_biasOffset = 0;
    std::int64_t m_positions = 0; ///< of dst, in all examples
    OperandImage m_src;

    LayerProducts<Convolution> m_products;
    std::size_t m_dataWorkspace = 0; ///< in the scratchpad
};

} // namespace

std::unique_ptr<Op> makeOp(const Conv2d& conv, CudaContext& context)
{
    return std::make_unique<Conv2dOp>(conv, context);
}

} // namespace lockstep::cuda
