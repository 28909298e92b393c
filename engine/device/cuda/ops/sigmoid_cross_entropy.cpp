// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/kernels/sigmoid_cross_entropy_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

/// Leaves the gradients of the rows' losses in dst, from which the way back begins.
class SigmoidCrossEntropyOp : public Op
{
public:
    explicit SigmoidCrossEntropyOp(const SigmoidCrossEntropy& loss)
    {
        m_shape.isSum = loss.target == SigmoidCrossEntropy::Target::MaskSum;
    }

    void plan(OpPlan& plan) override
    {
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == plan.src().shape.channels, "logits in padded channels");
        plan.dst = tensorPlan(plan.examples, plan.src().shape, DataType::Float32);
        m_shape.type = layout.type;
        m_shape.rows = plan.examples;
        m_shape.cells = plan.src().shape.elements();
        plan.scratchpadBytes = static_cast<std::size_t>(plan.examples) * sizeof(ObjectiveResult);
    }

    void forward(const StepContext& context) override
    {
        const auto maskValues = static_cast<std::int64_t>(context.masks.size());
        m_shape.maskCells = maskValues / m_shape.rows;
        require(
            m_shape.isSum ? m_shape.maskCells > 0 : m_shape.maskCells == m_shape.cells,
            "a replica got another number of masks than planned");
        sigmoidCrossEntropyForward(
            streamOf(context), m_shape,
            {m_memory.src(), context.masks.data(), reinterpret_cast<float*>(m_memory.dst),
             context.results.data(), reinterpret_cast<ObjectiveResult*>(m_memory.scratchpad),
             context.afterForward});
    }

    void backward(const StepContext& context) override
    {
        sigmoidCrossEntropyBackward(
            streamOf(context), m_shape, reinterpret_cast<const float*>(m_memory.dst),
            static_cast<float>(context.lossScale), m_memory.diffSrc());
    }

private:
    SigmoidLossShape m_shape;
};

} // namespace

std::unique_ptr<Op> makeOp(const SigmoidCrossEntropy& loss, CudaContext& /*context*/)
{
    return std::make_unique<SigmoidCrossEntropyOp>(loss);
}

} // namespace lockstep::cuda
