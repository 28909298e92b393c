// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/layout/channel_source.h"
#include "device/cpu/layout/stored_result.h"
#include "device/cpu/ops/ops.h"

#include <algorithm>
#include <optional>

namespace lockstep::cpu {
namespace {

/// oneDNN's, of the cells as the rows of a matrix.
class LayerNormOp : public Op
{
public:
    explicit LayerNormOp(const LayerNorm& spec) : m_epsilon(static_cast<float>(spec.epsilon)) {}

    void plan(OpPlan& plan) override
    {
        m_source.plan(plan, ChannelSource::Order::Plain, ChannelSource::Reader::Library);
        const Desc made = layoutOf(m_source.tensor());
        plan.dst = m_result.plan(plan, made, elementOf(layoutOf(plan.src())));
        m_offsets = plan.parameterOffsets;
        const Shape& shape = plan.dstShape;
        m_channels = shape.channels;
        m_forwardDesc = layerNormForward(
            matrixDesc(plan.examples * shape.height * shape.width, shape.channels, elementOf(made)),
            m_epsilon);
        std::size_t temporary = m_forwardDesc.scratchpad_desc().get_size();
        m_mean = addPart(plan.workspaceBytes, m_forwardDesc.mean_desc().get_size());
        m_variance = addPart(plan.workspaceBytes, m_forwardDesc.variance_desc().get_size());
        if (plan.isTraining) {
            m_backwardDesc = layerNormBackward(m_forwardDesc, m_epsilon);
            temporary = std::max(temporary, m_backwardDesc->scratchpad_desc().get_size());
            // It makes all gradients, those that nobody wants, too.
            m_diffSrc = addPart(plan.scratchpadBytes, plan.needsDiffSrc() ? 0 : made.get_size());
            m_diffParameters = addPart(
                plan.scratchpadBytes,
                plan.trainsParameters
                    ? 0
                    : 2 * static_cast<std::size_t>(shape.channels) * sizeof(float));
            m_trains = plan.trainsParameters;
        }
        m_temporary = addPart(plan.scratchpadBytes, temporary);
    }

    void bind(const OpMemory& memory) override
    {
        m_memory = memory;
        const Desc cells = m_forwardDesc.dst_desc();
        const Desc line = vectorDesc(cells.dims().back());
        const PrimitiveCall::Arguments common{
            {DNNL_ARG_SRC, memoryAt(cells, m_source.src(memory))},
            {DNNL_ARG_MEAN, memoryAt(m_forwardDesc.mean_desc(), memory.workspace + m_mean)},
            {DNNL_ARG_VARIANCE,
             memoryAt(m_forwardDesc.variance_desc(), memory.workspace + m_variance)},
            {DNNL_ARG_SCALE, memoryAt(line)},
            {DNNL_ARG_SHIFT, memoryAt(line)}}; // backward asks for it, too
        std::byte* const temporary = memory.scratchpad + m_temporary;
        PrimitiveCall::Arguments forward = common;
        forward.insert(
            {{DNNL_ARG_DST, memoryAt(cells, m_result.dst(memory))},
             {DNNL_ARG_SCRATCHPAD, memoryAt(m_forwardDesc.scratchpad_desc(), temporary)}});
        m_forward = {dnnl::layer_normalization_forward(m_forwardDesc), forward};
        if (m_backwardDesc) {
            std::byte* const diffSrc = memory.diffSrc() != nullptr ? m_source.diffSrc(memory)
                                                                   : memory.scratchpad + m_diffSrc;
            PrimitiveCall::Arguments backward = common;
            backward.insert(
                {{DNNL_ARG_DIFF_DST, memoryAt(cells, m_result.diffDst(memory))},
                 {DNNL_ARG_DIFF_SRC, memoryAt(cells, diffSrc)},
                 {DNNL_ARG_DIFF_SCALE, memoryAt(line)},
                 {DNNL_ARG_DIFF_SHIFT, memoryAt(line)},
                 {DNNL_ARG_SCRATCHPAD, memoryAt(m_backwardDesc->scratchpad_desc(), temporary)}});
            m_backward = {dnnl::layer_normalization_backward(*m_backwardDesc), backward};
        }
    }

    void forward(const StepContext& context) override
    {
        m_source.take(m_memory);
        setParameters(m_forward, context);
        m_forward.run();
        m_result.store(m_memory);
    }

    void backward(const StepContext& context) override
    {
        m_source.takeAgain(m_memory);
        m_result.load(m_memory);
        auto* const unwanted = reinterpret_cast<float*>(m_memory.scratchpad + m_diffParameters);
        setParameters(m_backward, context);
        m_backward.set(
            DNNL_ARG_DIFF_SCALE, m_trains ? context.gradients + m_offsets.front() : unwanted);
        m_backward.set(
            DNNL_ARG_DIFF_SHIFT,
            m_trains ? context.gradients + m_offsets.back() : unwanted + m_channels);
        m_backward.run();
        if (m_memory.diffSrc() != nullptr) {
            m_source.give(m_memory);
        }
    }

    [[nodiscard]] std::string describe() const override { return m_forwardDesc.impl_info_str(); }

private:
    void setParameters(PrimitiveCall& call, const StepContext& context) const
    {
        call.set(DNNL_ARG_SCALE, context.weights.values + m_offsets.front());
        call.set(DNNL_ARG_SHIFT, context.weights.values + m_offsets.back());
    }

    float m_epsilon;
    ChannelSource m_source;
    StoredResult m_result;
    std::vector<std::int64_t> m_offsets; ///< of gamma and beta in the arena
    std::int64_t m_channels = 0;
    bool m_trains = false;
    LayerNormForward m_forwardDesc;
    std::optional<LayerNormBackward> m_backwardDesc;
    PrimitiveCall m_forward;
    PrimitiveCall m_backward;
    // In the workspace.
    std::size_t m_mean = 0;
    std::size_t m_variance = 0;
    // In the scratchpad.
    std::size_t m_diffSrc = 0;
    std::size_t m_diffParameters = 0;
    std::size_t m_temporary = 0;
};

} // namespace

std::unique_ptr<Op> makeOp(const LayerNorm& norm)
{
    return std::make_unique<LayerNormOp>(norm);
}

} // namespace lockstep::cpu
