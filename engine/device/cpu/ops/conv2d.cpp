// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/convolution/convolution_choice.h"
#include "device/cpu/convolution/filter_gradient.h"
#include "device/cpu/convolution/unfolded_gradient.h"
#include "device/cpu/kernels/vector_kernels.h"
#include "device/cpu/layout/stored_result.h"
#include "device/cpu/ops/ops.h"
#include "device/cpu/ops/tiled_conv2d.h"
#include "device/cpu/runtime/dnnl_helpers.h"
#include "device/direct_algorithm.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

/// Ends describe() where the gradients of weights and bias are made that way.
constexpr const char* kUnfolded = ", wgrad unfolded product";

/// Begins describe() of sums that were measured to be the fastest, and so the text that a run has
/// of them: kernels may have other names for other rows, in evaluation, or in another phase.
const std::string kChosenSums = std::string(kDirectAlgorithm) + ", ";

/// Weights lie in the arena in PyTorch's layout; oneDNN's blocked copy is made anew in each pass
/// (0.1 % of a cifar10 step), so that all lanes, checkpoints and averages share one plain array.
/// In bfloat16 the operands are bfloat16, the gradients of weights and bias float32; where products
/// are made in float32, the tensors are moved to it and back.
class Conv2dOp : public Op
{
public:
    explicit Conv2dOp(Conv2d conv) : m_conv(std::move(conv)) {}

    void plan(OpPlan& plan) override
    {
        m_window = windowDims(m_conv.kernel, m_conv.stride, m_conv.padding, plan.src().shape);
        m_element = operandElement(plan.precision);
        m_stored = storedElement(plan.precision);
        m_offsets = plan.parameterOffsets;
        m_filter = filterDesc(m_conv, plan.src().shape.channels, m_element);
        choose(plan);
        planSrc(plan);
        planDst(plan);
        m_forwardScratch = m_weightsScratch = m_dataScratch = plan.scratchpadBytes;
        planForward();
        if (plan.isTraining && plan.trainsParameters) {
            planWeightGradient(plan);
        }
        if (m_choice.data) {
            planBackwardData(plan);
        }
        plan.scratchpadBytes = std::max({m_forwardScratch, m_weightsScratch, m_dataScratch});
    }

    void bind(const OpMemory& memory) override
    {
        m_memory = memory;
        bindForward();
        if (m_choice.weights) {
            m_choice.weights->bind(
                forwardSrc(), m_result.diffDst(memory), memory.scratchpad + m_weightsTemporary);
        }
        if (m_unfolded) {
            m_unfolded->bind(memory.scratchpad + m_weightsTemporary);
        }
        if (m_choice.data) {
            bindBackwardData();
        }
    }

    void forward(const StepContext& context) override
    {
        m_toForwardWeights->run(weights(context), m_memory.scratchpad + m_forwardWeights);
        if (m_toForwardSrc) {
            m_toForwardSrc->run(m_memory.src(), forwardSrc());
        }
        if (m_conv.hasBias) {
            m_forward.set(DNNL_ARG_BIAS, context.weights.values + m_offsets.back());
        }
        m_forward.run();
        m_result.store(m_memory);
        if (m_isRelu) {
            reluForward(m_stored, m_memory.dst, m_dstValues);
        }
    }

    void backward(const StepContext& context) override
    {
        if (m_isRelu) {
            reluBackward(m_stored, m_memory.dst, m_memory.diffDst, m_dstValues);
        }
        m_result.load(m_memory);
        float* diffWeights = context.gradients + m_offsets.front();
        float* diffBias = m_conv.hasBias ? context.gradients + m_offsets.back() : nullptr;
        if (m_choice.weights) {
            if (m_toForwardSrc && !m_keepsSrc) {
                m_toForwardSrc->run(m_memory.src(), forwardSrc());
            }
            m_choice.weights->run(diffWeights, diffBias);
        }
        if (m_unfolded) {
            m_unfolded->run(forwardSrc(), m_memory.diffDst, diffWeights, diffBias);
        }
        if (m_choice.data) {
            m_toDataWeights->run(weights(context), m_memory.scratchpad + m_dataWeights);
            m_data.run();
        }
        if (m_fromDiffSrc) {
            m_fromDiffSrc->run(m_memory.scratchpad + m_diffSrc, m_memory.diffSrc());
        }
    }

    /// See cpu::slowness(), of all products.
    [[nodiscard]] int slowness() const { return m_choice.slowness(); }

    [[nodiscard]] std::string describe() const override
    {
        std::string text = m_choice.forward.impl_info_str();
        if (m_choice.data) {
            text += std::string(", dgrad ") + m_choice.data->impl_info_str();
        }
        if (m_choice.weights) {
            text += ", wgrad " + m_choice.weights->describe();
        }
        return m_unfolded ? text + kUnfolded : text;
    }

private:
    /// The three products for a layout of the source.
    struct Choice
    {
        ConvForward forward;
        std::optional<FilterGradient> weights;
        std::optional<ConvBackwardData> data;

        [[nodiscard]] int slowness() const
        {
            int sum = cpu::slowness(forward.impl_info_str());
            sum += weights ? weights->slowness() : 0;
            sum += data ? cpu::slowness(data->impl_info_str()) : 0;
            return sum;
        }
    };

    /// The source as it is, as oneDNN likes it for forward, with its channels side by side, or with
    /// whole planes of a channel: the first for which no product is slow, or the least slow. A
    /// reorder of the source costs little beside one. Without AVX-512, filters larger than the
    /// image have no gradients but of whole planes.
    void choose(const OpPlan& plan)
    {
        const Desc given = imageLayoutOf(plan.src());
        std::vector<Desc> sources;
        // Wide filters gain by blocks of channels in every precision.
        if (elementOf(given) == m_element && !isWide()) {
            sources.push_back(given);
        }
        for (const Tag order : {Tag::any, Tag::nhwc, Tag::nchw}) {
            sources.push_back(imageDesc(plan.examples, plan.src().shape, m_element, order));
        }
        int least = std::numeric_limits<int>::max();
        for (const Desc& src : sources) {
            Choice choice = choiceFor(plan, src);
            if (choice.slowness() < least) {
                least = choice.slowness();
                m_choice = std::move(choice);
            }
            if (least == 0) {
                return;
            }
        }
    }

    [[nodiscard]] Choice choiceFor(const OpPlan& plan, const Desc& src) const
    {
        const Desc bias = m_conv.hasBias ? vectorDesc(m_conv.channels) : Desc();
        const Desc dst = isWide() ? imageDesc(plan.examples, plan.dstShape, m_element)
                                  : operandImage(plan.examples, plan.dstShape, m_element);
        Choice choice;
        choice.forward =
            convForward({src, anyOrder(m_filter), bias, dst}, m_window, plan.isTraining);
        if (plan.isTraining && plan.trainsParameters) {
            choice.weights.emplace(FilterGradient::Work{
                m_conv, m_window, choice.forward.src_desc(), choice.forward.dst_desc()});
        }
        if (plan.isTraining && plan.needsDiffSrc()) {
            choice.data = dataProduct(plan, choice.forward);
        }
        return choice;
    }

    /// Straight into the gradient of the source, or else into a layout that forward reads.
    [[nodiscard]] ConvBackwardData dataProduct(const OpPlan& plan, const ConvForward& forward) const
    {
        const auto into = [&](const Desc& diffSrc) {
            return convBackwardData(
                {diffSrc, anyOrder(m_filter), {}, forward.dst_desc()}, m_window, forward);
        };
        const Desc given = imageLayoutOf(plan.src());
        if (!isWidened(given, forward.src_desc())) {
            const ConvBackwardData direct = into(given);
            if (cpu::slowness(direct.impl_info_str()) == 0) {
                return direct;
            }
        }
        return into(forward.src_desc());
    }

    [[nodiscard]] bool isWide() const { return m_conv.kernel.width > kMostFilterColumns; }

    void planSrc(OpPlan& plan)
    {
        const Desc given = imageLayoutOf(plan.src());
        const Desc src = m_choice.forward.src_desc();
        if (src == given) {
            return;
        }
        m_toForwardSrc.emplace(given, src);
        // A copy of twice the size is rather made again than kept.
        m_keepsSrc = !isWidened(given, src);
        m_forwardSrc =
            addPart(m_keepsSrc ? plan.workspaceBytes : plan.scratchpadBytes, src.get_size());
    }

    void planDst(OpPlan& plan)
    {
        plan.dst = m_result.plan(plan, m_choice.forward.dst_desc(), m_stored);
        m_dstValues = static_cast<std::int64_t>(plan.dst.bytes) / bytesOf(m_stored);
        m_isRelu = m_conv.activation == Activation::Relu && !plan.mayLeaveActivation;
        plan.dst.pending = m_isRelu ? Activation::None : m_conv.activation;
    }

    void planForward()
    {
        const ConvForward& chosen = m_choice.forward;
        m_toForwardWeights.emplace(m_filter, chosen.weights_desc());
        m_forwardWeights = addPart(m_forwardScratch, chosen.weights_desc().get_size());
        m_forwardTemporary = addPart(m_forwardScratch, chosen.scratchpad_desc().get_size());
    }

    void planWeightGradient(const OpPlan& plan)
    {
        const bool isAsked = m_conv.groups == 1
                             && (plan.algorithm.starts_with(kChosenSums)
                                     ? plan.algorithm.find(kUnfolded) != std::string::npos
                                     : multipliesTiles());
        const auto channelsLast = [&](const Shape& shape) {
            return imageDesc(plan.examples, shape, Element::Bfloat16, Tag::nhwc);
        };
        if (isAsked && m_choice.forward.src_desc() == channelsLast(plan.src().shape)
            && m_choice.forward.dst_desc() == channelsLast(plan.dstShape)) {
            m_choice.weights.reset();
            m_unfolded.emplace(
                UnfoldedGradient::Work{m_conv, plan.examples, plan.src().shape, plan.dstShape});
            m_weightsTemporary = addPart(m_weightsScratch, m_unfolded->scratchBytes());
        } else {
            m_weightsTemporary = addPart(m_weightsScratch, m_choice.weights->scratchBytes());
        }
    }

    void planBackwardData(const OpPlan& plan)
    {
        const Desc diffSrc = m_choice.data->diff_src_desc();
        m_toDataWeights.emplace(m_filter, m_choice.data->weights_desc());
        m_dataWeights = addPart(m_dataScratch, m_choice.data->weights_desc().get_size());
        m_dataTemporary = addPart(m_dataScratch, m_choice.data->scratchpad_desc().get_size());
        if (diffSrc != imageLayoutOf(plan.src())) {
            m_fromDiffSrc.emplace(diffSrc, imageLayoutOf(plan.src()));
            m_diffSrc = addPart(m_dataScratch, diffSrc.get_size());
        }
    }

    [[nodiscard]] const std::byte* weights(const StepContext& context) const
    {
        return operandsAt(context.weights, m_offsets.front(), m_element);
    }
    [[nodiscard]] std::byte* forwardSrc() const
    {
        if (!m_toForwardSrc) {
            return m_memory.src();
        }
        return (m_keepsSrc ? m_memory.workspace : m_memory.scratchpad) + m_forwardSrc;
    }

    void bindForward()
    {
        const ConvForward& desc = m_choice.forward;
        PrimitiveCall::Arguments arguments{
            {DNNL_ARG_SRC, memoryAt(desc.src_desc(), forwardSrc())},
            {DNNL_ARG_WEIGHTS,
             memoryAt(desc.weights_desc(), m_memory.scratchpad + m_forwardWeights)},
            {DNNL_ARG_DST, memoryAt(desc.dst_desc(), m_result.dst(m_memory))},
            {DNNL_ARG_SCRATCHPAD,
             memoryAt(desc.scratchpad_desc(), m_memory.scratchpad + m_forwardTemporary)}};
        if (m_conv.hasBias) {
            arguments.emplace(DNNL_ARG_BIAS, memoryAt(desc.bias_desc()));
        }
        m_forward = {dnnl::convolution_forward(desc), arguments};
    }

    void bindBackwardData()
    {
        const ConvBackwardData& desc = *m_choice.data;
        std::byte* diffSrc = m_fromDiffSrc ? m_memory.scratchpad + m_diffSrc : m_memory.diffSrc();
        m_data = {
            dnnl::convolution_backward_data(desc),
            {{DNNL_ARG_DIFF_SRC, memoryAt(desc.diff_src_desc(), diffSrc)},
             {DNNL_ARG_WEIGHTS, memoryAt(desc.weights_desc(), m_memory.scratchpad + m_dataWeights)},
             {DNNL_ARG_DIFF_DST, memoryAt(desc.diff_dst_desc(), m_result.diffDst(m_memory))},
             {DNNL_ARG_SCRATCHPAD,
              memoryAt(desc.scratchpad_desc(), m_memory.scratchpad + m_dataTemporary)}}};
    }

    Conv2d m_conv;
    WindowDims m_window;
    Element m_element = Element::Float32; ///< of the operands
    Element m_stored = Element::Float32;  ///< of dst
    bool m_isRelu = false;                ///< ReLU is done here, not by the reader
    std::vector<std::int64_t> m_offsets;  ///< of weights and bias in the arena
    std::int64_t m_dstValues = 0;
    Desc m_filter;
    Choice m_choice;
    StoredResult m_result;

    PrimitiveCall m_forward;
    std::size_t m_forwardScratch = 0; ///< bytes
    std::size_t m_forwardWeights = 0;
    std::size_t m_forwardTemporary = 0;
    std::size_t m_forwardSrc = 0;
    std::optional<Reorder> m_toForwardWeights;
    /// Only where oneDNN is much faster in another layout, or products are in another format.
    std::optional<Reorder> m_toForwardSrc;
    bool m_keepsSrc = false; ///< in the workspace, for backward

    std::size_t m_weightsScratch = 0; ///< bytes
    std::size_t m_weightsTemporary = 0;
    std::optional<UnfoldedGradient> m_unfolded; ///< instead of m_choice.weights

    PrimitiveCall m_data;
    std::size_t m_dataScratch = 0; ///< bytes
    std::size_t m_dataWeights = 0;
    std::size_t m_dataTemporary = 0;
    std::size_t m_diffSrc = 0;
    std::optional<Reorder> m_toDataWeights;
    std::optional<Reorder> m_fromDiffSrc; ///< likewise
};

/// Which way a convolution is worked out is counted from its shapes, or measured.
class AnyConv2dOp : public Op
{
public:
    AnyConv2dOp(Conv2d conv, ConvolutionChoice& choice) : m_conv(std::move(conv)), m_choice(choice)
    {
    }

    void plan(OpPlan& plan) override
    {
        const bool areChosen =
            plan.precision == Precision::Bfloat16 && plan.algorithm.starts_with(kChosenSums);
        const bool takesSums = areChosen || plan.algorithm.ends_with(kDirectAlgorithm);
        if (!takesSums) {
            m_op = tiledUnlessSums(plan);
        }
        if (!m_op) {
            auto sums = std::make_unique<Conv2dOp>(m_conv);
            OpPlan ofSums = plan;
            sums->plan(ofSums);
            if (!takesSums) {
                m_op = tiledRatherThan(*sums, plan);
            }
            if (!m_op) {
                m_op = std::move(sums);
                m_areSumsChosen = areChosen || plan.planning.choices.isMeasured();
                ofSums.planning = plan.planning;
                plan = std::move(ofSums);
                return;
            }
        }
        m_op->plan(plan);
    }
    void bind(const OpMemory& memory) override { m_op->bind(memory); }
    void forward(const StepContext& context) override { m_op->forward(context); }
    void backward(const StepContext& context) override { m_op->backward(context); }
    [[nodiscard]] std::string describe() const override
    {
        return (m_areSumsChosen ? kChosenSums : "") + m_op->describe();
    }

private:
    /// Null: the op of sums, which takes its time to plan, has to be looked at.
    [[nodiscard]] std::unique_ptr<Op> tiledUnlessSums(const OpPlan& plan) const
    {
        return makeTiledConv2d(plan, m_conv, plan.algorithm.empty() && !isTimed(plan) ? 1.0 : 0.0);
    }

    /// Null: sums are better. What another device chose says nothing here.
    [[nodiscard]] std::unique_ptr<Op> tiledRatherThan(const Conv2dOp& sums, OpPlan& plan) const
    {
        const std::vector<std::string> tiled = tiledWays(plan, m_conv);
        if (sums.slowness() > 0 || tiled.empty() || !isTimed(plan)) {
            return makeTiledConv2d(plan, m_conv, 1.0 + sums.slowness());
        }
        std::vector<std::string> ways{std::string(kDirectAlgorithm)};
        ways.insert(ways.end(), tiled.begin(), tiled.end());
        plan.algorithm = m_choice.fastest(m_conv, plan, ways);
        return makeTiledConv2d(plan, m_conv, 0.0);
    }

    [[nodiscard]] bool isTimed(const OpPlan& plan) const
    {
        return ConvolutionChoice::suits(m_conv, plan) && !plan.algorithm.ends_with(kFirstAlgorithm);
    }

    Conv2d m_conv;
    ConvolutionChoice& m_choice;
    std::unique_ptr<Op> m_op;
    bool m_areSumsChosen = false; ///< by measurement, now or by whom plan() was told of
};

} // namespace

std::unique_ptr<Op> makeOp(const Conv2d& conv, ConvolutionChoice& choice)
{
    return std::make_unique<AnyConv2dOp>(conv, choice);
}

} // namespace lockstep::cpu
