// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/kernels/scale_kernel.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

class ScaleOp : public Op
{
public:
    void plan(OpPlan& plan) override
    {
        const Shape& src = plan.src().shape;
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == src.channels, "scaling of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, layout.type);
        m_shape = {
            layout.type, layoutOf(plan.srcs[1]).type, plan.examples, src.height * src.width,
            src.channels};
    }

    void forward(const StepContext& context) override
    {
        scaleChannels(streamOf(context), m_shape, m_memory.src(), m_memory.srcs[1], m_memory.dst);
    }

    void backward(const StepContext& context) override
    {
        if (m_memory.diffSrcs[1] != nullptr) {
            scaleFactorDiffs(
                streamOf(context), m_shape, m_memory.src(), m_memory.diffDst, m_memory.diffSrcs[1]);
        }
        if (m_memory.diffSrc() != nullptr) {
            scaleChannels(
                streamOf(context), m_shape, m_memory.diffDst, m_memory.srcs[1], m_memory.diffSrc());
        }
    }

private:
    ScaleShape m_shape;
};

} // namespace

std::unique_ptr<Op> makeOp(const Scale& /*scale*/, CudaContext& /*context*/)
{
    return std::make_unique<ScaleOp>();
}

} // namespace lockstep::cuda
