// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/ops/tiled_conv2d.h"

#include "device/cpu/convolution/minimal_convolution.h"
#include "device/cpu/convolution/wide_convolution.h"
#include "device/cpu/kernels/minimal_filtering.h"
#include "device/cpu/kernels/vector_kernels.h"
#include "device/cpu/layout/channel_source.h"

#include <optional>
#include <utility>

namespace lockstep::cpu {
namespace {

using Tag = dnnl::memory::format_tag;

/// In blocks of channels, as oneDNN's convolutions leave float32, or side by side as bfloat16, so
/// that the layers behind find what they are fast with.
TensorPlan inBlocks(std::int64_t examples, const Shape& shape, Element element)
{
    const Tag blocks = vectorChannels() == kTileChannels ? Tag::nChw16c : Tag::nChw8c;
    const bool isPlain = element == Element::Bfloat16 && shape.channels % kTileChannels == 0;
    return tensorPlan(
        examples, shape, imageDesc(examples, shape, element, isPlain ? Tag::nhwc : blocks));
}

/// The source as tiles are read from it: as it is, if that is possible.
TensorPlan sourceOf(const OpPlan& plan)
{
    const auto given = channelLayout(plan.src());
    return given && canTakeTiles(*given)
               ? plan.src()
               : inBlocks(plan.examples, plan.src().shape, elementOf(layoutOf(plan.src())));
}

TensorPlan dstOf(const OpPlan& plan)
{
    return inBlocks(plan.examples, plan.dstShape, storedElement(plan.precision));
}

TiledWork workFor(const OpPlan& plan, const Conv2d& conv)
{
    const Shape& src = plan.src().shape;
    TiledWork work;
    work.conv = conv;
    work.window = windowDims(conv.kernel, conv.stride, conv.padding, src);
    work.src = {*channelLayout(sourceOf(plan)), src};
    work.dst = {*channelLayout(dstOf(plan)), plan.dstShape};
    work.isRelu = conv.activation == Activation::Relu && !plan.mayLeaveActivation;
    work.isTraining = plan.isTraining;
    work.threads = plan.threads;
    return work;
}

/// All by minimal filtering that can do the work.
std::vector<std::unique_ptr<MinimalConvolution>> minimalOnes(const TiledWork& work)
{
    std::vector<std::unique_ptr<MinimalConvolution>> all;
    for (const PointSet points : {PointSet::Six, PointSet::Eight}) {
        if (MinimalConvolution::suits(work, points)) {
            all.push_back(std::make_unique<MinimalConvolution>(work, points));
        }
    }
    return all;
}

/// The way that is asked for by what describe() says of it, or else the fastest by count; null:
/// sums are.
std::unique_ptr<TiledConvolution> makeConvolution(
    const TiledWork& work, const OpPlan& plan, double sumsTimes)
{
    if (!plan.algorithm.empty()) {
        for (auto& minimal : minimalOnes(work)) {
            if (plan.algorithm.starts_with(minimal->describe())) {
                return std::move(minimal);
            }
        }
    }
    if (WideConvolution::suits(work)) {
        return std::make_unique<WideConvolution>(work);
    }
    // What multiplies tiles of bfloat16 does so faster than vectors do a fraction of it.
    const bool isBest = plan.precision != Precision::Bfloat16 || !multipliesTiles();
    const auto points = isBest ? MinimalConvolution::bestPoints(work, sumsTimes) : std::nullopt;
    return points ? std::make_unique<MinimalConvolution>(work, *points) : nullptr;
}

class TiledConv2dOp : public Op
{
public:
    TiledConv2dOp(Conv2d conv, std::unique_ptr<TiledConvolution> convolution)
        : m_conv(std::move(conv)), m_convolution(std::move(convolution))
    {
    }

    void plan(OpPlan& plan) override
    {
        m_source.planAs(plan, sourceOf(plan));
        plan.dst = dstOf(plan);
        m_isRelu = m_conv.activation == Activation::Relu && !plan.mayLeaveActivation;
        plan.dst.pending = m_isRelu ? Activation::None : m_conv.activation;
        m_element = elementOf(layoutOf(plan.dst));
        m_values = static_cast<std::int64_t>(plan.dst.bytes) / bytesOf(m_element);
        m_weights = plan.weightsOffset();
        m_bias = m_conv.hasBias ? std::optional(plan.biasOffset()) : std::nullopt;
        m_trains = plan.isTraining && plan.trainsParameters;
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
        const float* values = context.weights.values;
        m_convolution->forward(
            m_source.src(m_memory), values + m_weights, m_bias ? values + *m_bias : nullptr,
            m_memory.dst);
    }

    void backward(const StepContext& context) override
    {
        if (m_isRelu) {
            reluBackward(m_element, m_memory.dst, m_memory.diffDst, m_values);
        }
        if (m_trains) {
            m_convolution->backwardWeights(
                m_source.src(m_memory), m_memory.diffDst, context.gradients + m_weights,
                m_bias ? context.gradients + *m_bias : nullptr);
        }
        if (m_memory.diffSrc() != nullptr) {
            m_convolution->backwardData(
                m_memory.diffDst, context.weights.values + m_weights, m_source.diffSrc(m_memory));
            m_source.give(m_memory);
        }
    }

    [[nodiscard]] std::string describe() const override { return m_convolution->describe(); }

private:
    Conv2d m_conv;
    std::unique_ptr<TiledConvolution> m_convolution;
    ChannelSource m_source;
    Element m_element = Element::Float32;
    bool m_isRelu = false; ///< ReLU is done here, not by the reader
    bool m_trains = false;
    std::int64_t m_values = 0; ///< of dst
    std::int64_t m_weights = 0;
    std::optional<std::int64_t> m_bias;
    std::size_t m_temporary = 0;
};

} // namespace

std::unique_ptr<Op> makeTiledConv2d(const OpPlan& plan, const Conv2d& conv, double sumsTimes)
{
    std::unique_ptr<TiledConvolution> convolution =
        makeConvolution(workFor(plan, conv), plan, sumsTimes);
    return convolution ? std::make_unique<TiledConv2dOp>(conv, std::move(convolution)) : nullptr;
}

std::vector<std::string> tiledWays(const OpPlan& plan, const Conv2d& conv)
{
    const TiledWork work = workFor(plan, conv);
    std::vector<std::string> ways;
    if (!WideConvolution::suits(work)) {
        for (const auto& minimal : minimalOnes(work)) {
            ways.push_back(minimal->describe());
        }
    }
    return ways;
}

} // namespace lockstep::cpu
