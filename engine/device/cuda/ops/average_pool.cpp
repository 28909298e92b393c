// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/ops/ops.h"
#include "device/cuda/pooling/average_pool_kernel.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

/// TensorFlow's "SAME" pads unevenly, which cuDNN's pooling can't say: kernels of our own.
class AveragePoolOp : public Op
{
public:
    explicit AveragePoolOp(const AveragePool& pool) : m_pool(pool) {}

    void plan(OpPlan& plan) override
    {
        m_shape = poolShape(m_pool.window, m_pool.stride, m_pool.padding, plan);
        m_shape.countsPadding = m_pool.countsPadding;
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_shape.type);
    }

    void forward(const StepContext& context) override
    {
        averagePoolForward(streamOf(context), m_shape, m_memory.src(), m_memory.dst);
    }

    void backward(const StepContext& context) override
    {
        if (m_memory.diffSrc() != nullptr) {
            averagePoolBackward(streamOf(context), m_shape, m_memory.diffDst, m_memory.diffSrc());
        }
    }

private:
    AveragePool m_pool;
    PoolShape m_shape;
};

} // namespace

std::unique_ptr<Op> makeOp(const AveragePool& pool, CudaContext& /*context*/)
{
    return std::make_unique<AveragePoolOp>(pool);
}

} // namespace lockstep::cuda
