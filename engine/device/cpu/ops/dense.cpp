// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/kernels/vector_kernels.h"
#include "device/cpu/layout/reorder.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/runtime/dnnl_helpers.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

/// Works on the arena's own weights (or their bfloat16 copies) and gradients, both plain [units,
/// src]: no copy of either. The source is small and is flattened channel by channel, and rounded,
/// where the layer before left it otherwise. What comes out is float32, as the loss wants its
/// logits.
class DenseOp : public Op
{
public:
    explicit DenseOp(Dense dense) : m_dense(std::move(dense)) {}

    void plan(OpPlan& plan) override
    {
        m_isRelu = m_dense.activation == Activation::Relu;
        m_weightsOffset = plan.weightsOffset();
        m_biasOffset = plan.biasOffset();
        m_element = operandElement(plan.precision);
        m_flat = matrixDesc(plan.examples, plan.src().shape.elements(), m_element);
        m_dst = matrixDesc(plan.examples, m_dense.units);
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_dst);
        m_dstValues = plan.examples * m_dense.units;
        planFlattening(plan);
        planPrimitives(plan);
        m_temporary = addPart(plan.scratchpadBytes, temporaryBytes());
    }

    void bind(const OpMemory& memory) override
    {
        m_memory = memory;
        m_forward = {
            dnnl::inner_product_forward(m_forwardDesc),
            {{DNNL_ARG_SRC, memoryAt(m_flat, flatSrc())},
             {DNNL_ARG_WEIGHTS, memoryAt(m_forwardDesc.weights_desc())},
             {DNNL_ARG_BIAS, memoryAt(m_forwardDesc.bias_desc())},
             {DNNL_ARG_DST, memoryAt(m_forwardDesc.dst_desc(), memory.dst)},
             {DNNL_ARG_SCRATCHPAD, temporary(m_forwardDesc.scratchpad_desc())}}};
        if (m_weightsDesc) {
            m_weights = {
                dnnl::inner_product_backward_weights(*m_weightsDesc),
                {{DNNL_ARG_SRC, memoryAt(m_flat, flatSrc())},
                 {DNNL_ARG_DIFF_DST, memoryAt(m_weightsDesc->diff_dst_desc(), diffDst())},
                 {DNNL_ARG_DIFF_WEIGHTS, memoryAt(m_weightsDesc->diff_weights_desc())},
                 {DNNL_ARG_DIFF_BIAS, memoryAt(m_weightsDesc->diff_bias_desc())},
                 {DNNL_ARG_SCRATCHPAD, temporary(m_weightsDesc->scratchpad_desc())}}};
        }
        if (m_dataDesc) {
            m_data = {
                dnnl::inner_product_backward_data(*m_dataDesc),
                {{DNNL_ARG_DIFF_SRC, memoryAt(m_dataDesc->diff_src_desc(), flatDiffSrc())},
                 {DNNL_ARG_WEIGHTS, memoryAt(m_dataDesc->weights_desc())},
                 {DNNL_ARG_DIFF_DST, memoryAt(m_dataDesc->diff_dst_desc(), diffDst())},
                 {DNNL_ARG_SCRATCHPAD, temporary(m_dataDesc->scratchpad_desc())}}};
        }
    }

    void forward(const StepContext& context) override
    {
        if (m_flatten) {
            m_flatten->run(m_memory.src(), m_memory.workspace + m_flatSrc);
        }
        m_forward.set(DNNL_ARG_WEIGHTS, weights(context));
        m_forward.set(DNNL_ARG_BIAS, context.weights.values + m_biasOffset);
        m_forward.run();
        if (m_isRelu) {
            reluForward(Element::Float32, m_memory.dst, m_dstValues);
        }
    }

    void backward(const StepContext& context) override
    {
        if (m_isRelu) {
            reluBackward(Element::Float32, m_memory.dst, m_memory.diffDst, m_dstValues);
        }
        if (m_element == Element::Bfloat16) {
            roundRange(
                {reinterpret_cast<const float*>(m_memory.diffDst),
                 static_cast<std::size_t>(m_dstValues)},
                diffDst());
        }
        if (m_weightsDesc) {
            m_weights.set(DNNL_ARG_DIFF_WEIGHTS, context.gradients + m_weightsOffset);
            m_weights.set(DNNL_ARG_DIFF_BIAS, context.gradients + m_biasOffset);
            m_weights.run();
        }
        if (m_dataDesc) {
            m_data.set(DNNL_ARG_WEIGHTS, weights(context));
            m_data.run();
        }
        if (m_unflatten) {
            m_unflatten->run(flatDiffSrc(), m_memory.diffSrc());
        }
    }

    [[nodiscard]] std::string describe() const override { return m_forwardDesc.impl_info_str(); }

private:
    void planFlattening(OpPlan& plan)
    {
        const Desc& src = layoutOf(plan.src());
        const bool isImage = src.dims().size() == 4;
        const auto flatAs = [&](Element element) {
            return isImage ? imageDesc(plan.examples, plan.src().shape, element, Tag::nchw)
                           : matrixDesc(plan.examples, plan.src().shape.elements(), element);
        };
        if (src != flatAs(m_element)) {
            m_flatten.emplace(src, flatAs(m_element));
            m_flatSrc = addPart(plan.workspaceBytes, m_flat.get_size());
        }
        const Element diff = m_element == Element::Float32 ? m_element : elementOf(src);
        m_flatDiff = matrixDesc(plan.examples, plan.src().shape.elements(), diff);
        if (plan.isTraining && plan.needsDiffSrc() && src != flatAs(diff)) {
            m_unflatten.emplace(flatAs(diff), src);
            m_flatDiffSrc = addPart(plan.scratchpadBytes, m_flatDiff.get_size());
        }
    }

    void planPrimitives(OpPlan& plan)
    {
        const std::int64_t columns = plan.src().shape.elements();
        WeightedDescs descs{
            m_flat, matrixDesc(m_dense.units, columns, m_element), vectorDesc(m_dense.units),
            m_dst};
        m_forwardDesc = denseForward(descs, plan.isTraining);
        descs.dst = matrixDesc(plan.examples, m_dense.units, m_element);
        if (plan.isTraining && m_element == Element::Bfloat16) {
            m_diffDst = addPart(plan.scratchpadBytes, descs.dst.get_size());
        }
        if (plan.isTraining && plan.needsDiffSrc()) {
            descs.src = m_flatDiff;
            m_dataDesc = denseBackwardData(descs, m_forwardDesc);
        }
        if (plan.isTraining && plan.trainsParameters) {
            descs.src = m_flat;
            descs.weights = matrixDesc(m_dense.units, columns);
            m_weightsDesc = denseBackwardWeights(descs, m_forwardDesc);
        }
    }

    [[nodiscard]] std::size_t temporaryBytes() const
    {
        std::size_t bytes = m_forwardDesc.scratchpad_desc().get_size();
        if (m_weightsDesc) {
            bytes = std::max(bytes, m_weightsDesc->scratchpad_desc().get_size());
        }
        if (m_dataDesc) {
            bytes = std::max(bytes, m_dataDesc->scratchpad_desc().get_size());
        }
        return bytes;
    }

    [[nodiscard]] dnnl::memory temporary(const Desc& desc) const
    {
        return memoryAt(desc, m_memory.scratchpad + m_temporary);
    }
    [[nodiscard]] std::byte* flatSrc() const
    {
        return m_flatten ? m_memory.workspace + m_flatSrc : m_memory.src();
    }
    [[nodiscard]] std::byte* flatDiffSrc() const
    {
        return m_unflatten ? m_memory.scratchpad + m_flatDiffSrc : m_memory.diffSrc();
    }
    /// As the products read it: rounded where operands are.
    [[nodiscard]] std::byte* diffDst() const
    {
        return m_element == Element::Float32 ? m_memory.diffDst : m_memory.scratchpad + m_diffDst;
    }
    [[nodiscard]] const std::byte* weights(const StepContext& context) const
    {
        return operandsAt(context.weights, m_weightsOffset, m_element);
    }

    Dense m_dense;
    bool m_isRelu = false;
    std::int64_t m_weightsOffset = 0;
    std::int64_t m_biasOffset = 0;
    std::int64_t m_dstValues = 0;
    Element m_element = Element::Float32; ///< of the operands
    Desc m_flat;
    Desc m_flatDiff; ///< as the products leave it
    Desc m_dst;
    std::size_t m_temporary = 0;

    std::optional<Reorder> m_flatten; ///< only where the layer before leaves something else
    std::optional<Reorder> m_unflatten;
    std::size_t m_flatSrc = 0;
    std::size_t m_flatDiffSrc = 0;
    std::size_t m_diffDst = 0;

    DenseForward m_forwardDesc;
    std::optional<DenseBackwardWeights> m_weightsDesc;
    std::optional<DenseBackwardData> m_dataDesc;
    PrimitiveCall m_forward;
    PrimitiveCall m_weights;
    PrimitiveCall m_data;
};

} // namespace

std::unique_ptr<Op> makeOp(const Dense& dense)
{
    return std::make_unique<DenseOp>(dense);
}

} // namespace lockstep::cpu
