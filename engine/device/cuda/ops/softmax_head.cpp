// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/softmax_head_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

#include <variant>

namespace lockstep::cuda {
namespace {

/// The last fully connected layer and its loss, a kernel each way. Leaves the probabilities in dst,
/// from which the way back begins.
class SoftmaxHeadOp : public Op
{
public:
    explicit SoftmaxHeadOp(const LogitsShape& logits) { m_shape.logits = logits; }

    [[nodiscard]] bool finishesGradient() const override { return true; }

    void plan(OpPlan& plan) override
    {
        m_shape.logits.rows = static_cast<int>(plan.examples);
        m_shape.srcType = layoutOf(plan.src()).type;
        m_shape.type = activationType(plan.precision);
        m_shape.depth = static_cast<int>(
            static_cast<std::int64_t>(plan.src().bytes / bytesOf(m_shape.srcType)) / plan.examples);
        m_weightsOffset = plan.weightsOffset();
        m_biasOffset = plan.biasOffset();
        m_trainsParameters = plan.trainsParameters;
        m_finish = plan.src().finish.value_or(GradientFinish{});
        plan.inner = tensorPlan(plan.examples, {1, 1, m_shape.logits.classes}, DataType::Float32);
        plan.dst = plan.inner;
        plan.scratchpadBytes = static_cast<std::size_t>(plan.examples) * sizeof(ObjectiveResult);
        plan.counterBytes = sizeof(std::uint32_t);
    }

    void forward(const StepContext& context) override
    {
        m_shape.logits.mixed = context.mixed.data();
        softmaxHeadForward(
            streamOf(context), m_shape,
            {m_memory.src(), operandsAt(context.weights, m_weightsOffset, m_shape.type),
             context.weights.values + m_biasOffset, context.labels.data(),
             reinterpret_cast<float*>(m_memory.inner), reinterpret_cast<float*>(m_memory.dst),
             reinterpret_cast<ObjectiveResult*>(m_memory.scratchpad), context.results.data(),
             m_memory.counters, context.afterForward});
    }

    void backward(const StepContext& context) override
    {
        SoftmaxHeadBackward arrays;
        arrays.src = m_memory.src();
        arrays.weights = operandsAt(context.weights, m_weightsOffset, m_shape.type);
        arrays.probabilities = reinterpret_cast<const float*>(m_memory.dst);
        arrays.labels = context.labels.data();
        arrays.scale = static_cast<float>(context.lossScale);
        if (m_trainsParameters) {
            arrays.diffWeights = context.gradients + m_weightsOffset;
            arrays.diffBias = context.gradients + m_biasOffset;
        }
        arrays.diffSrc = m_memory.diffSrc();
        arrays.srcIsRelu = m_finish.activation == Activation::Relu;
        if (m_finish.biasOffset >= 0) {
            arrays.diffSrcSums = context.gradients + m_finish.biasOffset;
        }
        softmaxHeadBackward(streamOf(context), m_shape, arrays);
    }

private:
    SoftmaxHeadShape m_shape;
    std::int64_t m_weightsOffset = 0;
    std::int64_t m_biasOffset = 0;
    bool m_trainsParameters = false;
    GradientFinish m_finish; ///< of src's gradient
};

} // namespace

std::unique_ptr<Op> makeSoftmaxHead(
    const Layer& layer, const Objective& objective, const FusionSettings& settings)
{
    const auto* dense = std::get_if<Dense>(&layer.spec);
    const auto* loss = std::get_if<SoftmaxCrossEntropy>(&objective.loss);
    if (!settings.features.has(StepFeature::Head) || dense == nullptr || loss == nullptr
        || dense->activation != Activation::None || !loss->classWeights.empty()) {
        return nullptr;
    }
    SoftmaxHeadShape shape;
    shape.logits.classes = static_cast<int>(dense->units);
    shape.logits.labelSmoothing = static_cast<float>(loss->labelSmoothing);
    shape.depth = static_cast<int>(settings.src.channels);
    // Sums over the rows are those of a bias where a row is one position.
    const bool isVector = settings.src.height * settings.src.width == 1;
    return isVector && shape.isSmall() ? std::make_unique<SoftmaxHeadOp>(shape.logits) : nullptr;
}

} // namespace lockstep::cuda
