// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/arrays/input_kernels.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

/// Makes the rows on the device, from the data set that lies there or from rows of the host.
class InputOp : public Op
{
public:
    void plan(OpPlan& plan) override
    {
        const CudaLayout layout{
            activationType(plan.precision), paddedChannels(plan.dstShape.channels, plan.precision)};
        plan.dst = tensorPlan(plan.examples, plan.dstShape, layout);
        m_dst = plan.dst;
    }

    void forward(const StepContext& context) override
    {
        require(context.input != nullptr, "an accelerator was not told where its rows are");
        require(
            context.input->rowMasks == nullptr || context.input->masks != nullptr,
            "an objective reads masks, but the rows have none");
        if (context.input->pixels != nullptr) {
            augmentRows(streamOf(context), *context.input, m_dst, m_memory.dst);
        } else {
            convertRows(streamOf(context), *context.input, m_dst, m_memory.dst);
        }
    }

    void backward(const StepContext& /*context*/) override {}

private:
    TensorPlan m_dst;
};

} // namespace

std::unique_ptr<Op> makeOp(const Input& /*input*/, CudaContext& /*context*/)
{
    return std::make_unique<InputOp>();
}

} // namespace lockstep::cuda
