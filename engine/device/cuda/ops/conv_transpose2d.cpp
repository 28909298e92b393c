// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/arrays/bias_relu_kernel.h"
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

/// The convolution from dst to src, its ways exchanged: forward is that one's data gradient.
/// Weights lie in the arena as [src channels, kernel height, kernel width, channels].
class ConvTranspose2dOp : public Op
{
public:
    ConvTranspose2dOp(ConvTranspose2d conv, CudaContext& context)
        : m_conv(std::move(conv)), m_context(context)
    {
    }

    void plan(OpPlan& plan) override
    {
        m_type = activationType(plan.precision);
        m_weightsOffset = plan.weightsOffset();
        m_biasOffset = plan.biasOffset();
        m_trains = plan.isTraining && plan.trainsParameters;
        m_positions = plan.examples * plan.dstShape.height * plan.dstShape.width;
        require(
            layoutOf(plan.src()).channels == plan.src().shape.channels,
            "transposed convolution of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_type);
        m_src.plan(plan, {1, 1}, {1, 1}, Padding::Valid); // rounds, where that is needed
        // What the convolution reads, or rather gives the gradient of, is dst.
        OpPlan exchanged;
        exchanged.precision = plan.precision;
        exchanged.srcs = {plan.dst};
        m_image.plan(exchanged, m_conv.kernel, m_conv.stride, m_conv.padding);
        std::size_t bytes = 0;
        m_image.planDiff(bytes);
        m_copies = addPart(bytes, exchanged.workspaceBytes);
        m_src.planDiff(bytes);
        planProducts(plan, bytes);
    }

    void bind(const OpMemory& memory) override
    {
        m_memory = memory;
        m_exchanged = {};
        m_exchanged.srcs = {memory.diffDst};
        m_exchanged.diffSrcs = {memory.dst};
        m_exchanged.workspace = memory.scratchpad + m_copies;
        m_exchanged.scratchpad = memory.scratchpad;
    }

    void forward(const StepContext& context) override
    {
        cudaStream_t stream = streamOf(context);
        m_src.make(stream, m_memory);
        m_products.forward->run(
            stream, {m_image.diffAddress(m_exchanged), operands(context), nullptr,
                     m_src.address(m_memory), m_memory.scratchpad + m_temporary});
        m_image.finishDiff(stream, m_exchanged);
        if (m_conv.hasBias) {
            addBias(stream, values(m_memory.dst), context.weights.values + m_biasOffset, false);
        }
    }

    void backward(const StepContext& context) override
    {
        cudaStream_t stream = streamOf(context);
        m_image.make(stream, m_exchanged);
        void* const image = m_image.address(m_exchanged);
        std::byte* const temporary = m_memory.scratchpad + m_temporary;
        if (m_products.weightGradient) {
            m_products.weightGradient->run(
                stream, {image, context.gradients + m_weightsOffset, nullptr,
                         m_src.address(m_memory), temporary});
        }
        if (m_trains && m_conv.hasBias) {
            BiasBackwardTask task{values(m_memory.diffDst)};
            task.diffBias = context.gradients + m_biasOffset;
            task.scratch = reinterpret_cast<float*>(temporary);
            biasBackward(stream, task);
        }
        if (m_products.dataGradient) {
            m_products.dataGradient->run(
                stream,
                {image, operands(context), nullptr, m_src.diffAddress(m_memory), temporary});
            m_src.finishDiff(stream, m_memory);
        }
    }

    [[nodiscard]] std::string describe() const override { return m_products.describe(); }

private:
    void planProducts(OpPlan& plan, std::size_t bytes)
    {
        ConvolutionSpec spec;
        spec.type = m_type;
        spec.precision = plan.precision;
        spec.examples = plan.examples;
        spec.src = m_image.shape();
        spec.dst = plan.src().shape;
        spec.kernel = m_conv.kernel;
        spec.stride = m_conv.stride;
        spec.padding = m_image.padding();
        std::size_t temporary =
            m_trains && m_conv.hasBias ? biasBackwardScratchBytes(values(nullptr)) : 0;
        const auto planned = [&](ConvolutionDirection direction, const char* part) {
            spec.direction = direction;
            spec.algorithm = partOf(plan.algorithm, part);
            auto product = planConvolution(m_context, spec, plan.planning);
            temporary = std::max(temporary, product->workspaceBytes());
            return product;
        };
        m_products.forward = planned(ConvolutionDirection::DataGradient, "fprop");
        if (m_trains) {
            m_products.weightGradient = planned(ConvolutionDirection::WeightGradient, "wgrad");
        }
        if (plan.isTraining && plan.needsDiffSrc()) {
            m_products.dataGradient = planned(ConvolutionDirection::Forward, "dgrad");
        }
        m_temporary = addPart(bytes, temporary);
        plan.scratchpadBytes = bytes;
    }

    /// Of dst or its gradient.
    [[nodiscard]] ChannelValues values(std::byte* data) const
    {
        return {data, m_type, m_positions, m_conv.channels};
    }
    /// The weights as they are multiplied. cuDNN only reads them.
    [[nodiscard]] void* operands(const StepContext& context) const
    {
        return const_cast<void*>(operandsAt(context.weights, m_weightsOffset, m_type));
    }

    ConvTranspose2d m_conv;
    CudaContext& m_context;
    DataType m_type = DataType::Float32;
    std::int64_t m_weightsOffset = 0;
    std::int64_t m_biasOffset = 0;
    bool m_trains = false;
    std::int64_t m_positions = 0; ///< of dst, in all examples
    OperandImage m_src;
    OperandImage m_image;                  ///< of dst
    OpMemory m_exchanged;                  ///< with dst in the place of src
    LayerProducts<Convolution> m_products; ///< named by what they are to this layer
    // In the scratchpad.
    std::size_t m_copies = 0;
    std::size_t m_temporary = 0;
};

} // namespace

std::unique_ptr<Op> makeOp(const ConvTranspose2d& conv, CudaContext& context)
{
    return std::make_unique<ConvTranspose2dOp>(conv, context);
}

} // namespace lockstep::cuda
