// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/layout/channel_source.h"
#include "device/cpu/layout/stored_result.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

/// A tensor as a primitive wants it, moved to or from where it lies.
struct Moved
{
    std::optional<Reorder> move;
    std::size_t place = 0; ///< of the moved one in the scratchpad

    Moved() = default;
    /// From `from` to `to`; the one of them that is the primitive's is put into the scratchpad.
    Moved(const Desc& from, const Desc& to, const Desc& wanted, std::size_t& scratchpad)
    {
        if (from != to) {
            move.emplace(from, to);
            place = addPart(scratchpad, wanted.get_size());
        }
    }
    /// Where the primitive has it.
    [[nodiscard]] std::byte* at(std::byte* given, std::byte* scratchpad) const
    {
        return move ? scratchpad + place : given;
    }
};

/// oneDNN's deconvolution. Weights lie in the arena as [src channels, channels, height, width].
class ConvTranspose2dOp : public Op
{
public:
    explicit ConvTranspose2dOp(ConvTranspose2d conv) : m_conv(std::move(conv)) {}

    void plan(OpPlan& plan) override
    {
        m_element = operandElement(plan.precision);
        m_offsets = plan.parameterOffsets;
        const WindowDims window =
            windowDims(m_conv.kernel, m_conv.stride, m_conv.padding, plan.dstShape);
        const std::int64_t srcChannels = plan.src().shape.channels;
        const auto filter = [&](Element element) {
            return Desc(
                {m_conv.channels, srcChannels, m_conv.kernel.height, m_conv.kernel.width},
                typeOf(element), Tag::iohw);
        };
        const WeightedDescs descs{
            imageDesc(plan.examples, plan.src().shape, m_element), anyOrder(filter(m_element)),
            m_conv.hasBias ? vectorDesc(m_conv.channels) : Desc(),
            operandImage(plan.examples, plan.dstShape, m_element)};
        m_forwardDesc = transposedForward(descs, window, plan.isTraining);
        plan.dst = m_result.plan(plan, m_forwardDesc.dst_desc(), storedElement(plan.precision));
        const Desc src = m_forwardDesc.src_desc();
        m_source.planAs(plan, tensorPlan(plan.examples, plan.src().shape, src));
        std::size_t& scratch = plan.scratchpadBytes;
        const Desc weights = m_forwardDesc.weights_desc();
        m_weights = {filter(m_element), weights, weights, scratch};
        std::size_t temporary = m_forwardDesc.scratchpad_desc().get_size();
        if (plan.isTraining && plan.trainsParameters) {
            m_weightsDesc = transposedBackwardWeights(
                {src, anyOrder(filter(Element::Float32)), descs.bias, m_forwardDesc.dst_desc()},
                window, m_forwardDesc);
            const Desc gradient = m_weightsDesc->diff_weights_desc();
            m_diffWeights = {gradient, filter(Element::Float32), gradient, scratch};
            temporary = std::max(temporary, m_weightsDesc->scratchpad_desc().get_size());
        }
        if (plan.isTraining && plan.needsDiffSrc()) {
            const Desc asConvolution(
                {srcChannels, m_conv.channels, m_conv.kernel.height, m_conv.kernel.width},
                typeOf(m_element), Tag::oihw);
            m_dataDesc = convForward(
                {m_forwardDesc.dst_desc(), anyOrder(asConvolution), {}, src}, window, false);
            const Desc dataWeights = m_dataDesc->weights_desc();
            m_dataWeights = {asConvolution, dataWeights, dataWeights, scratch};
            temporary = std::max(temporary, m_dataDesc->scratchpad_desc().get_size());
        }
        m_temporary = addPart(scratch, temporary);
    }

    void bind(const OpMemory& memory) override
    {
        m_memory = memory;
        std::byte* const temporary = memory.scratchpad + m_temporary;
        const auto bound = [&](const auto& desc, PrimitiveCall::Arguments arguments) {
            arguments.emplace(DNNL_ARG_SCRATCHPAD, memoryAt(desc.scratchpad_desc(), temporary));
            return arguments;
        };
        const dnnl::memory src = memoryAt(m_forwardDesc.src_desc(), m_source.src(memory));
        PrimitiveCall::Arguments forward{
            {DNNL_ARG_SRC, src},
            {DNNL_ARG_WEIGHTS, memoryAt(m_forwardDesc.weights_desc())},
            {DNNL_ARG_DST, memoryAt(m_forwardDesc.dst_desc(), m_result.dst(memory))}};
        if (m_conv.hasBias) {
            forward.emplace(DNNL_ARG_BIAS, memoryAt(m_forwardDesc.bias_desc()));
        }
        m_forward = {
            dnnl::deconvolution_forward(m_forwardDesc), bound(m_forwardDesc, std::move(forward))};
        const dnnl::memory diffDst = memoryAt(m_forwardDesc.dst_desc(), m_result.diffDst(memory));
        if (m_weightsDesc) {
            PrimitiveCall::Arguments arguments{
                {DNNL_ARG_SRC, src},
                {DNNL_ARG_DIFF_DST, diffDst},
                {DNNL_ARG_DIFF_WEIGHTS, memoryAt(m_weightsDesc->diff_weights_desc())}};
            if (m_conv.hasBias) {
                arguments.emplace(DNNL_ARG_DIFF_BIAS, memoryAt(m_weightsDesc->diff_bias_desc()));
            }
            m_weightGradient = {
                dnnl::deconvolution_backward_weights(*m_weightsDesc),
                bound(*m_weightsDesc, std::move(arguments))};
        }
        if (m_dataDesc) {
            m_data = {
                dnnl::convolution_forward(*m_dataDesc),
                bound(
                    *m_dataDesc,
                    {{DNNL_ARG_SRC, diffDst},
                     {DNNL_ARG_WEIGHTS, memoryAt(m_dataDesc->weights_desc())},
                     {DNNL_ARG_DST, memoryAt(m_dataDesc->dst_desc(), m_source.diffSrc(memory))}})};
        }
    }

    void forward(const StepContext& context) override
    {
        m_source.take(m_memory);
        setWeights(m_forward, m_weights, context);
        if (m_conv.hasBias) {
            m_forward.set(DNNL_ARG_BIAS, context.weights.values + m_offsets.back());
        }
        m_forward.run();
        m_result.store(m_memory);
    }

    void backward(const StepContext& context) override
    {
        m_result.load(m_memory);
        if (m_weightsDesc) {
            m_source.takeAgain(m_memory);
            auto* const arena = reinterpret_cast<std::byte*>(context.gradients + m_offsets.front());
            std::byte* const gradient = m_diffWeights.at(arena, m_memory.scratchpad);
            m_weightGradient.set(DNNL_ARG_DIFF_WEIGHTS, gradient);
            if (m_conv.hasBias) {
                m_weightGradient.set(DNNL_ARG_DIFF_BIAS, context.gradients + m_offsets.back());
            }
            m_weightGradient.run();
            if (m_diffWeights.move) {
                m_diffWeights.move->run(gradient, arena);
            }
        }
        if (m_dataDesc) {
            setWeights(m_data, m_dataWeights, context);
            m_data.run();
            m_source.give(m_memory);
        }
    }

    [[nodiscard]] std::string describe() const override
    {
        std::string text = m_forwardDesc.impl_info_str();
        text += m_dataDesc ? std::string(", dgrad ") + m_dataDesc->impl_info_str() : "";
        text += m_weightsDesc ? std::string(", wgrad ") + m_weightsDesc->impl_info_str() : "";
        return text;
    }

private:
    void setWeights(PrimitiveCall& call, Moved& weights, const StepContext& context)
    {
        const std::byte* arena = operandsAt(context.weights, m_offsets.front(), m_element);
        if (weights.move) {
            weights.move->run(arena, m_memory.scratchpad + weights.place);
            arena = m_memory.scratchpad + weights.place;
        }
        call.set(DNNL_ARG_WEIGHTS, arena);
    }

    ConvTranspose2d m_conv;
    Element m_element = Element::Float32;
    std::vector<std::int64_t> m_offsets; ///< of weights and bias in the arena
    ChannelSource m_source;
    StoredResult m_result;
    TransposedForward m_forwardDesc;
    std::optional<TransposedBackwardWeights> m_weightsDesc;
    std::optional<ConvForward> m_dataDesc;
    PrimitiveCall m_forward;
    PrimitiveCall m_weightGradient;
    PrimitiveCall m_data;
    Moved m_weights;
    Moved m_diffWeights;
    Moved m_dataWeights;
    std::size_t m_temporary = 0; ///< in the scratchpad
};

} // namespace

std::unique_ptr<Op> makeOp(const ConvTranspose2d& conv)
{
    return std::make_unique<ConvTranspose2dOp>(conv);
}

} // namespace lockstep::cpu
