// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/ops/finished_gradient.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/pooling/max_pool_kernel.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

/// TensorFlow's "SAME" pads unevenly, which cuDNN's pooling can't say: kernels of our own.
class MaxPoolOp : public Op
{
public:
    explicit MaxPoolOp(const MaxPool& pool) : m_pool(pool) {}

    [[nodiscard]] bool finishesGradient() const override { return true; }

    void plan(OpPlan& plan) override
    {
        m_shape = poolShape(m_pool.window, m_pool.stride, m_pool.padding, plan);
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_shape.type);
        plan.workspaceBytes = plan.needsDiffSrc() ? maxPoolPlaceBytes(m_shape) : 0;
        m_dst.stride = m_shape.channels;
        m_end.plan(
            plan,
            biasBackwardScratchBytes(
                {nullptr, m_shape.type, srcValues(m_shape) / m_shape.channels, m_shape.channels}));
    }

    bool writeInto(const ChannelSlice& slice) override
    {
        const auto place = slicePlace(slice, m_shape.type);
        m_dst = place.value_or(m_dst);
        return place.has_value();
    }

    void bind(const OpMemory& memory) override { m_memory = shifted(memory, m_dst.offset); }

    void forward(const StepContext& context) override
    {
        maxPoolForward(
            streamOf(context), m_shape, m_dst.stride, m_memory.src(), m_memory.dst,
            {places(), m_end.hasRelu()});
    }

    void backward(const StepContext& context) override
    {
        if (m_memory.diffSrc() != nullptr) {
            maxPoolBackward(
                streamOf(context), m_shape, m_dst.stride, m_memory.diffDst, places(),
                m_memory.diffSrc(), m_end.end(context, m_memory));
        }
    }

private:
    /// Null where no backward follows.
    [[nodiscard]] std::uint8_t* places() const
    {
        return m_memory.diffSrc() == nullptr ? nullptr
                                             : reinterpret_cast<std::uint8_t*>(m_memory.workspace);
    }

    MaxPool m_pool;
    PoolShape m_shape;
    SlicePlace m_dst;
    FinishedGradient m_end;
};

} // namespace

std::unique_ptr<Op> makeOp(const MaxPool& pool, CudaContext& /*context*/)
{
    return std::make_unique<MaxPoolOp>(pool);
}

} // namespace lockstep::cuda
