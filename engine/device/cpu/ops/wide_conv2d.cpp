// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/ops/wide_conv2d.h"

#include "device/cpu/kernels/vector_kernels.h"
#include "device/cpu/ops/wide_convolution.h"
#include "device/cpu/runtime/channel_source.h"

#include <optional>
#include <utility>

namespace lockstep::cpu {
namespace {

class WideConv2dOp : public Op
{
public:
    explicit WideConv2dOp(Conv2d conv) : m_conv(std::move(conv)) {}

    void plan(OpPlan& plan) override
    {
        m_element = operandElement(plan.precision);
        // Processors without AVX-512 have blocks of 8 channels; the transforms take 16 at once.
        const auto given = channelLayout(plan.src());
        const bool hasLanes = given && given->block % kSpectrumLanes == 0;
        m_source.plan(plan, hasLanes ? ChannelSource::Order::Any : ChannelSource::Order::Plain);
        plan.dst = tensorPlan(
            plan.examples, plan.dstShape,
            imageDesc(plan.examples, plan.dstShape, m_element, dnnl::memory::format_tag::nChw16c));
        m_isRelu = m_conv.activation == Activation::Relu && !plan.mayLeaveActivation;
        plan.dst.pending = m_isRelu ? Activation::None : m_conv.activation;
        m_values = static_cast<std::int64_t>(plan.dst.bytes) / bytesOf(m_element);
        m_weights = plan.weightsOffset();
        m_trains = plan.isTraining && plan.trainsParameters;
        m_convolution.emplace(WideConvolution::Work{
            m_conv, windowDims(m_conv.kernel, m_conv.stride, m_conv.padding, plan.src().shape),
            *channelLayout(m_source.tensor()), *channelLayout(plan.dst), plan.src().shape,
            plan.dstShape, plan.threads});
        m_temporary = addPart(plan.scratchpadBytes, m_convolution->scratchBytes());
    }

    void bind(const OpMemory& memory) override
    {
        m_memory = memory;
        m_convolution->bind(memory.scratchpad + m_temporary);
    }

    void forward(const StepContext& context) override
    {
        m_source.take(m_memory);
        m_convolution->forward(
            m_source.src(m_memory), context.weights.values + m_weights, m_memory.dst);
        if (m_isRelu) {
            reluForward(m_element, m_memory.dst, m_values);
        }
    }

    void backward(const StepContext& context) override
    {
        if (m_isRelu) {
            reluBackward(m_element, m_memory.dst, m_memory.diffDst, m_values);
        }
        if (m_trains) {
            m_convolution->backwardWeights(
                m_source.src(m_memory), m_memory.diffDst, context.gradients + m_weights);
        }
        if (m_memory.diffSrc() != nullptr) {
            m_convolution->backwardData(
                m_memory.diffDst, context.weights.values + m_weights, m_source.diffSrc(m_memory));
            m_source.give(m_memory);
        }
    }

    [[nodiscard]] std::string describe() const override { return kWideConvolution; }

private:
    Conv2d m_conv;
    ChannelSource m_source;
    std::optional<WideConvolution> m_convolution;
    Element m_element = Element::Float32;
    bool m_isRelu = false; ///< ReLU is done here, not by the reader
    bool m_trains = false;
    std::int64_t m_values = 0; ///< of dst
    std::int64_t m_weights = 0;
    std::size_t m_temporary = 0;
};

} // namespace

std::unique_ptr<Op> makeWideConv2d(const OpPlan& plan, const Conv2d& conv)
{
    const bool isAsked = plan.algorithm.empty() || plan.algorithm == kWideConvolution;
    return isAsked && WideConvolution::suits(conv, plan.src().shape, plan.dstShape, plan.examples)
               ? std::make_unique<WideConv2dOp>(conv)
               : nullptr;
}

} // namespace lockstep::cpu
