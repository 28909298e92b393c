// SPDX-License-Identifier: Apache-2.0
#include "network/dropout.h"

#include "base/error.h"
#include "device/cuda/kernels/dropout_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

/// Backward draws the numbers again, so that nothing is kept; which step it is says the device's
/// memory, so that a captured step is drawn anew each time.
class DropoutOp : public Op
{
public:
    explicit DropoutOp(const Dropout& spec) : m_spec(spec) {}

    void plan(OpPlan& plan) override
    {
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == plan.src().shape.channels, "dropout of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, layout.type);
        m_task.type = layout.type;
        m_task.rows = plan.examples;
        m_task.rowValues = plan.dstShape.elements();
        m_task.firstRow = plan.firstRow;
        m_task.seed = dropoutSeed(plan.seed, plan.layer);
        if (plan.isTrainingPass) {
            m_task.keptBelow = keptBelow(m_spec);
            m_task.factor = static_cast<float>(1.0 / m_spec.keep);
        }
    }

    void forward(const StepContext& context) override
    {
        drop(context, m_memory.src(), m_memory.dst);
    }

    void backward(const StepContext& context) override
    {
        if (m_memory.diffSrc() != nullptr) {
            drop(context, m_memory.diffDst, m_memory.diffSrc());
        }
    }

private:
    void drop(const StepContext& context, const std::byte* src, std::byte* dst) const
    {
        DropoutTask task = m_task;
        task.state = context.state;
        task.firstRow += context.rowsBefore;
        dropOut(streamOf(context), task, src, dst);
    }

    Dropout m_spec;
    DropoutTask m_task;
};

} // namespace

std::unique_ptr<Op> makeOp(const Dropout& dropout, CudaContext& /*context*/)
{
    return std::make_unique<DropoutOp>(dropout);
}

} // namespace lockstep::cuda
