// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/cuda_layout.h"
#include "device/cuda/cuda_stream.h"
#include "device/cuda/max_pool_kernel.h"
#include "device/cuda/ops.h"

namespace lockstep::cuda {
namespace {

/// TensorFlow's "SAME" pads unevenly, which cuDNN's pooling can't say: kernels of our own.
class MaxPoolOp : public Op
{
public:
    explicit MaxPoolOp(const MaxPool& pool) : m_pool(pool) {}

    void plan(OpPlan& plan) override
    {
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == plan.src().shape.channels, "pooling of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, layout.type);
        m_shape = shapeOf(plan, layout.type);
        m_hasBackward = plan.isTraining && plan.needsDiffSrc();
        plan.workspaceBytes = m_hasBackward ? maxPoolPlaceBytes(m_shape) : 0;
    }

    void bind(const OpMemory& memory) override { m_memory = memory; }

    void forward(const StepContext& context) override
    {
        maxPoolForward(
            streamOf(context), m_shape, m_memory.src(), m_memory.dst,
            m_hasBackward ? places() : nullptr);
    }

    void backward(const StepContext& context) override
    {
        if (m_hasBackward) {
            maxPoolBackward(
                streamOf(context), m_shape, m_memory.diffDst, places(), m_memory.diffSrc());
        }
    }

    [[nodiscard]] std::string describe() const override { return "own kernel"; }

private:
    [[nodiscard]] PoolShape shapeOf(const OpPlan& plan, DataType type) const
    {
        const Shape& src = plan.src().shape;
        const auto rows =
            paddingCells(m_pool.padding, src.height, m_pool.window.height, m_pool.stride.height);
        const auto columns =
            paddingCells(m_pool.padding, src.width, m_pool.window.width, m_pool.stride.width);
        PoolShape shape;
        shape.type = type;
        shape.examples = static_cast<int>(plan.examples);
        shape.channels = static_cast<int>(src.channels);
        shape.srcHeight = static_cast<int>(src.height);
        shape.srcWidth = static_cast<int>(src.width);
        shape.dstHeight = static_cast<int>(plan.dstShape.height);
        shape.dstWidth = static_cast<int>(plan.dstShape.width);
        shape.windowHeight = static_cast<int>(m_pool.window.height);
        shape.windowWidth = static_cast<int>(m_pool.window.width);
        shape.strideHeight = static_cast<int>(m_pool.stride.height);
        shape.strideWidth = static_cast<int>(m_pool.stride.width);
        shape.top = static_cast<int>(rows.before);
        shape.left = static_cast<int>(columns.before);
        return shape;
    }
    [[nodiscard]] std::uint8_t* places() const
    {
        return reinterpret_cast<std::uint8_t*>(m_memory.workspace);
    }

    MaxPool m_pool;
    PoolShape m_shape;
    bool m_hasBackward = false;
    OpMemory m_memory;
};

} // namespace

std::unique_ptr<Op> makeOp(const MaxPool& pool, CudaContext& /*context*/)
{
    return std::make_unique<MaxPoolOp>(pool);
}

} // namespace lockstep::cuda
