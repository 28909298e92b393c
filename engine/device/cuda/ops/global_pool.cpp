// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/pooling/global_pool_kernel.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

/// What comes out are few numbers: float32 in any precision.
class GlobalPoolOp : public Op
{
public:
    explicit GlobalPoolOp(const GlobalPool& spec) : m_isMax(spec.reduction == Reduction::Max) {}

    void plan(OpPlan& plan) override
    {
        const Shape& src = plan.src().shape;
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == src.channels, "pooling of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, DataType::Float32);
        m_shape = {layout.type, plan.examples, src.height * src.width, src.channels};
        plan.workspaceBytes =
            m_isMax && plan.needsDiffSrc()
                ? static_cast<std::size_t>(plan.examples * src.channels) * sizeof(std::int32_t)
                : 0;
    }

    void forward(const StepContext& context) override
    {
        auto* const dst = reinterpret_cast<float*>(m_memory.dst);
        if (m_isMax) {
            globalMaxForward(streamOf(context), m_shape, m_memory.src(), dst, places());
        } else {
            globalAverageForward(streamOf(context), m_shape, m_memory.src(), dst);
        }
    }

    void backward(const StepContext& context) override
    {
        const auto* const diffDst = reinterpret_cast<const float*>(m_memory.diffDst);
        if (m_memory.diffSrc() == nullptr) {
            return;
        }
        if (m_isMax) {
            globalMaxBackward(streamOf(context), m_shape, diffDst, places(), m_memory.diffSrc());
        } else {
            globalAverageBackward(streamOf(context), m_shape, diffDst, m_memory.diffSrc());
        }
    }

private:
    /// Null where no backward follows.
    [[nodiscard]] std::int32_t* places() const
    {
        return m_memory.diffSrc() == nullptr ? nullptr
                                             : reinterpret_cast<std::int32_t*>(m_memory.workspace);
    }

    bool m_isMax;
    GlobalPoolShape m_shape;
};

} // namespace

std::unique_ptr<Op> makeOp(const GlobalPool& pool, CudaContext& /*context*/)
{
    return std::make_unique<GlobalPoolOp>(pool);
}

} // namespace lockstep::cuda
