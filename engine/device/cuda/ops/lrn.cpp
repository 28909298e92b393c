// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/ops/finished_gradient.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/pooling/lrn_kernel.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

/// Keeps nothing from forward to backward but src: the window sums are cheaper to make again than
/// to store and load.
class LrnOp : public Op
{
public:
    explicit LrnOp(const Lrn& lrn) : m_lrn(lrn) {}

    [[nodiscard]] bool finishesGradient() const override { return true; }

    void plan(OpPlan& plan) override
    {
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == plan.src().shape.channels, "normalisation of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, layout.type);
        m_shape.type = layout.type;
        m_shape.positions = plan.examples * plan.dstShape.height * plan.dstShape.width;
        m_shape.channels = static_cast<int>(plan.dstShape.channels);
        m_end.plan(plan, lrnScratchBytes(m_shape));
    }

    void forward(const StepContext& context) override
    {
        lrnForward(streamOf(context), m_lrn, m_shape, m_memory.src(), m_memory.dst);
    }

    void backward(const StepContext& context) override
    {
        if (m_memory.diffSrc() != nullptr) {
            lrnBackward(
                streamOf(context), m_lrn, m_shape,
                {m_memory.src(), m_memory.diffDst, m_memory.diffSrc()},
                m_end.end(context, m_memory));
        }
    }

private:
    Lrn m_lrn;
    LrnShape m_shape;
    FinishedGradient m_end;
};

} // namespace

std::unique_ptr<Op> makeOp(const Lrn& lrn, CudaContext& /*context*/)
{
    return std::make_unique<LrnOp>(lrn);
}

} // namespace lockstep::cuda
