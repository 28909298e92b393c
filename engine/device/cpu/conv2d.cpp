// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/dnnl_helpers.h"
#include "device/cpu/ops.h"
#include "device/cpu/unfolded_gradient.h"
#include "device/cpu/vector_kernels.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace lockstep::cpu {
namespace {

using Arguments = std::unordered_map<int, dnnl::memory>;

/// oneDNN's plain loops and unfolded products: worth a reorder of the source to get away from.
bool isSlow(std::string_view implementation)
{
    return implementation.starts_with("ref") || implementation.starts_with("gemm");
}

/// Ends describe() where the gradients of weights and bias are made that way.
constexpr const char* kUnfolded = ", wgrad unfolded product";

/// Weights lie in the arena in PyTorch's layout; oneDNN's blocked copy is made anew in each pass
/// (0.1 % of a cifar10 step), so that all lanes, checkpoints and averages share one plain array.
/// In bfloat16 the operands are bfloat16, the gradients of weights and bias float32.
class Conv2dOp : public Op
{
public:
    explicit Conv2dOp(Conv2d conv) : m_conv(std::move(conv)) {}

    void plan(OpPlan& plan) override
    {
        m_window = windowDims(m_conv.kernel, m_conv.stride, m_conv.padding, plan.src().shape);
        m_element = operandElement(plan.precision);
        m_weightsOffset = plan.weightsOffset();
        m_biasOffset = plan.biasOffset();
        m_filter = filterDesc(m_conv, plan.src().shape.channels, m_element);
        planForward(plan);
        if (plan.isTraining && plan.trainsParameters) {
            planWeightGradient(plan);
        }
        if (plan.isTraining && plan.needsDiffSrc()) {
            planBackwardData(plan);
        }
        plan.workspaceBytes = m_workspace.total();
        plan.scratchpadBytes =
            std::max({m_forwardScratch.total(), m_weightsScratch.total(), m_dataScratch.total()});
    }

    void bind(const OpMemory& memory) override
    {
        m_memory = memory;
        bindForward();
        if (m_weightsDesc) {
            bindBackwardWeights();
        }
        if (m_unfolded) {
            m_unfolded->bind(memory.scratchpad + m_unfoldedScratch);
        }
        if (m_dataDesc) {
            bindBackwardData();
        }
    }

    void forward(const StepContext& context) override
    {
        m_toForwardWeights->run(weights(context), m_memory.scratchpad + m_forwardWeights);
        if (m_toForwardSrc) {
            m_toForwardSrc->run(m_memory.src(), m_memory.workspace + m_forwardSrc);
        }
        m_forwardArgs.at(DNNL_ARG_BIAS)
            .set_data_handle(const_cast<float*>(context.weights.values + m_biasOffset));
        m_forward.execute(m_stream, m_forwardArgs);
        if (m_isRelu) {
            reluForward(m_element, m_memory.dst, m_dstValues);
        }
    }

    void backward(const StepContext& context) override
    {
        if (m_isRelu) {
            reluBackward(m_element, m_memory.dst, m_memory.diffDst, m_dstValues);
        }
        if (m_weightsDesc) {
            backwardWeights(context);
        }
        if (m_unfolded) {
            m_unfolded->run(
                forwardSrc(), m_memory.diffDst, context.gradients + m_weightsOffset,
                context.gradients + m_biasOffset);
        }
        if (m_dataDesc) {
            m_toDataWeights->run(weights(context), m_memory.scratchpad + m_dataWeights);
            m_data.execute(m_stream, m_dataArgs);
        }
    }

    [[nodiscard]] std::string describe() const override
    {
        std::string text = m_forwardDesc.impl_info_str();
        if (m_dataDesc) {
            text += std::string(", dgrad ") + m_dataDesc->impl_info_str();
        }
        if (m_weightsDesc) {
            text += std::string(", wgrad ") + m_weightsDesc->impl_info_str();
        }
        return m_unfolded ? text + kUnfolded : text;
    }

private:
    void planForward(OpPlan& plan)
    {
        const Desc src = imageLayoutOf(plan.src());
        const Desc bias = vectorDesc(m_conv.channels);
        const WeightedDescs given{
            src, anyOrder(m_filter), bias, operandImage(plan.examples, plan.dstShape, m_element)};
        WeightedDescs free = given;
        free.src = imageDesc(plan.examples, plan.src().shape, m_element);
        const bool isOperand = elementOf(src) == m_element;
        m_forwardDesc = convForward(isOperand ? given : free, m_window, plan.isTraining);
        if (isSlow(m_forwardDesc.impl_info_str())) {
            m_forwardDesc = convForward(free, m_window, plan.isTraining);
        }
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_forwardDesc.dst_desc());
        m_dstValues = static_cast<std::int64_t>(plan.dst.bytes) / bytesOf(m_element);
        m_isRelu = m_conv.activation == Activation::Relu && !plan.mayLeaveActivation;
        plan.dst.pending = m_isRelu ? Activation::None : m_conv.activation;
        m_toForwardWeights.emplace(m_filter, m_forwardDesc.weights_desc());
        m_forwardWeights = m_forwardScratch.add(m_forwardDesc.weights_desc().get_size());
        m_forwardTemporary = m_forwardScratch.add(m_forwardDesc.scratchpad_desc().get_size());
        if (m_forwardDesc.src_desc() != src) {
            m_toForwardSrc.emplace(src, m_forwardDesc.src_desc());
            m_forwardSrc = m_workspace.add(m_forwardDesc.src_desc().get_size());
        }
    }

    void planWeightGradient(const OpPlan& plan)
    {
        const bool isAsked =
            plan.algorithm.empty() ? multipliesTiles() : plan.algorithm.ends_with(kUnfolded);
        const Desc channelsLast = imageDesc(
            plan.examples, plan.src().shape, Element::Bfloat16, dnnl::memory::format_tag::nhwc);
        if (isAsked && m_forwardDesc.src_desc() == channelsLast) {
            m_unfolded.emplace(
                UnfoldedGradient::Work{m_conv, plan.examples, plan.src().shape, plan.dstShape});
            m_unfoldedScratch = m_weightsScratch.add(m_unfolded->scratchBytes());
        } else {
            planBackwardWeights(plan);
        }
    }

    void planBackwardWeights(const OpPlan& plan)
    {
        // The source as forward saw it and dst as the next op made it: no reorders of activations.
        const Desc gradient = filterDesc(m_conv, plan.src().shape.channels, Element::Float32);
        const WeightedDescs descs{
            m_forwardDesc.src_desc(), anyOrder(gradient), vectorDesc(m_conv.channels),
            layoutOf(plan.dst)};
        m_weightsDesc = convBackwardWeights(descs, m_window, m_forwardDesc);
        m_fromDiffWeights.emplace(m_weightsDesc->diff_weights_desc(), gradient);
        m_diffWeights = m_weightsScratch.add(m_weightsDesc->diff_weights_desc().get_size());
        m_weightsTemporary = m_weightsScratch.add(m_weightsDesc->scratchpad_desc().get_size());
    }

    void planBackwardData(const OpPlan& plan)
    {
        const WeightedDescs descs{
            imageLayoutOf(plan.src()), anyOrder(m_filter), {}, layoutOf(plan.dst)};
        m_dataDesc = convBackwardData(descs, m_window, m_forwardDesc);
        m_toDataWeights.emplace(m_filter, m_dataDesc->weights_desc());
        m_dataWeights = m_dataScratch.add(m_dataDesc->weights_desc().get_size());
        m_dataTemporary = m_dataScratch.add(m_dataDesc->scratchpad_desc().get_size());
    }

    [[nodiscard]] const std::byte* weights(const StepContext& context) const
    {
        return operandsAt(context.weights, m_weightsOffset, m_element);
    }
    [[nodiscard]] const std::byte* forwardSrc() const
    {
        return m_toForwardSrc ? m_memory.workspace + m_forwardSrc : m_memory.src();
    }

    void bindForward()
    {
        m_forward = dnnl::convolution_forward(m_forwardDesc);
        m_forwardArgs = {
            {DNNL_ARG_SRC, memoryAt(m_forwardDesc.src_desc(), forwardSrc())},
            {DNNL_ARG_WEIGHTS,
             memoryAt(m_forwardDesc.weights_desc(), m_memory.scratchpad + m_forwardWeights)},
            {DNNL_ARG_BIAS, memoryAt(m_forwardDesc.bias_desc())},
            {DNNL_ARG_DST, memoryAt(m_forwardDesc.dst_desc(), m_memory.dst)},
            {DNNL_ARG_SCRATCHPAD,
             memoryAt(m_forwardDesc.scratchpad_desc(), m_memory.scratchpad + m_forwardTemporary)}};
    }

    void bindBackwardWeights()
    {
        m_weights = dnnl::convolution_backward_weights(*m_weightsDesc);
        m_weightsArgs = {
            {DNNL_ARG_SRC, memoryAt(m_weightsDesc->src_desc(), forwardSrc())},
            {DNNL_ARG_DIFF_DST, memoryAt(m_weightsDesc->diff_dst_desc(), m_memory.diffDst)},
            {DNNL_ARG_DIFF_WEIGHTS,
             memoryAt(m_weightsDesc->diff_weights_desc(), m_memory.scratchpad + m_diffWeights)},
            {DNNL_ARG_DIFF_BIAS, memoryAt(m_weightsDesc->diff_bias_desc())},
            {DNNL_ARG_SCRATCHPAD,
             memoryAt(m_weightsDesc->scratchpad_desc(), m_memory.scratchpad + m_weightsTemporary)}};
    }

    void bindBackwardData()
    {
        m_data = dnnl::convolution_backward_data(*m_dataDesc);
        m_dataArgs = {
            {DNNL_ARG_DIFF_SRC, memoryAt(m_dataDesc->diff_src_desc(), m_memory.diffSrc())},
            {DNNL_ARG_WEIGHTS,
             memoryAt(m_dataDesc->weights_desc(), m_memory.scratchpad + m_dataWeights)},
            {DNNL_ARG_DIFF_DST, memoryAt(m_dataDesc->diff_dst_desc(), m_memory.diffDst)},
            {DNNL_ARG_SCRATCHPAD,
             memoryAt(m_dataDesc->scratchpad_desc(), m_memory.scratchpad + m_dataTemporary)}};
    }

    void backwardWeights(const StepContext& context)
    {
        m_weightsArgs.at(DNNL_ARG_DIFF_BIAS).set_data_handle(context.gradients + m_biasOffset);
        m_weights.execute(m_stream, m_weightsArgs);
        m_fromDiffWeights->run(
            m_memory.scratchpad + m_diffWeights, context.gradients + m_weightsOffset);
    }

    Conv2d m_conv;
    WindowDims m_window;
    Element m_element = Element::Float32;
    bool m_isRelu = false; ///< ReLU is done here, not by the reader
    std::int64_t m_weightsOffset = 0;
    std::int64_t m_biasOffset = 0;
    std::int64_t m_dstValues = 0;
    Desc m_filter;
    OpMemory m_memory;
    dnnl::stream m_stream{dnnlEngine()};
    PartSizes m_workspace;

    ConvForward m_forwardDesc;
    dnnl::convolution_forward m_forward;
    Arguments m_forwardArgs;
    PartSizes m_forwardScratch;
    std::size_t m_forwardWeights = 0;
    std::size_t m_forwardTemporary = 0;
    std::size_t m_forwardSrc = 0;
    std::optional<Reorder> m_toForwardWeights;
    std::optional<Reorder> m_toForwardSrc; ///< only where oneDNN is much faster in another layout

    std::optional<ConvBackwardWeights> m_weightsDesc;
    dnnl::convolution_backward_weights m_weights;
    Arguments m_weightsArgs;
    PartSizes m_weightsScratch;
    std::size_t m_diffWeights = 0;
    std::size_t m_weightsTemporary = 0;
    std::optional<Reorder> m_fromDiffWeights;

    std::optional<UnfoldedGradient> m_unfolded; ///< instead of the above
    std::size_t m_unfoldedScratch = 0;

    std::optional<ConvBackwardData> m_dataDesc;
    dnnl::convolution_backward_data m_data;
    Arguments m_dataArgs;
    PartSizes m_dataScratch;
    std::size_t m_dataWeights = 0;
    std::size_t m_dataTemporary = 0;
    std::optional<Reorder> m_toDataWeights;
};

} // namespace

std::unique_ptr<Op> makeOp(const Conv2d& conv)
{
    return std::make_unique<Conv2dOp>(conv);
}

} // namespace lockstep::cpu
