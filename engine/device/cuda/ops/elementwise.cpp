// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/kernels/elementwise_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

class ElementwiseOp : public Op
{
public:
    explicit ElementwiseOp(const Elementwise& spec) { m_task.activation = spec.activation; }

    void plan(OpPlan& plan) override
    {
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == plan.src().shape.channels, "activation of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, layout.type);
        m_task.type = layout.type;
        m_task.count = plan.examples * plan.dstShape.elements();
    }

    void forward(const StepContext& context) override
    {
        elementwiseForward(streamOf(context), m_task, m_memory.src(), m_memory.dst);
    }

    void backward(const StepContext& context) override
    {
        if (m_memory.diffSrc() != nullptr) {
            elementwiseBackward(
                streamOf(context), m_task, {m_memory.src(), m_memory.diffDst, m_memory.diffSrc()});
        }
    }

private:
    ElementwiseTask m_task;
};

} // namespace

std::unique_ptr<Op> makeOp(const Elementwise& elementwise, CudaContext& /*context*/)
{
    return std::make_unique<ElementwiseOp>(elementwise);
}

} // namespace lockstep::cuda
