// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/add_kernel.h"

#include "base/error.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

#include <vector>

namespace lockstep::cuda {
namespace {

/// A kernel for two sources, both ways, and another one for every further source.
class AddOp : public Op
{
public:
    explicit AddOp(const Add& spec) : m_isRelu(spec.activation == Activation::Relu) {}

    void plan(OpPlan& plan) override
    {
        m_shape.type = layoutOf(plan.src()).type;
        m_shape.positions = plan.examples * plan.dstShape.height * plan.dstShape.width;
        m_shape.channels = plan.dstShape.channels;
        for (const TensorPlan& src : plan.srcs) {
            const CudaLayout& layout = layoutOf(src);
            require(
                layout.type == m_shape.type && layout.channels == src.shape.channels,
                "sum of padded channels, or of values of several types");
            m_channels.push_back(layout.channels);
        }
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_shape.type);
    }

    void forward(const StepContext& context) override
    {
        const std::size_t sources = m_channels.size();
        if (sources == 1) {
            addForward(
                streamOf(context), shapeWith(0, m_isRelu), m_memory.src(), nullptr, m_memory.dst);
        }
        for (std::size_t i = 1; i < sources; ++i) {
            addForward(
                streamOf(context), shapeWith(i, m_isRelu && i + 1 == sources),
                i == 1 ? m_memory.src() : m_memory.dst, m_memory.srcs[i], m_memory.dst);
        }
    }

    void backward(const StepContext& context) override
    {
        const std::size_t sources = m_channels.size();
        for (std::size_t i = sources == 1 ? 0 : 1; i < sources; ++i) {
            std::byte* const left = i <= 1 ? m_memory.diffSrc() : nullptr;
            std::byte* const right = i == 0 ? nullptr : m_memory.diffSrcs[i];
            if (left != nullptr || right != nullptr) {
                addBackward(
                    streamOf(context), shapeWith(i, m_isRelu),
                    {m_memory.dst, m_memory.diffDst, left, right});
            }
        }
    }

private:
    [[nodiscard]] AddShape shapeWith(std::size_t right, bool hasRelu) const
    {
        AddShape shape = m_shape;
        shape.rightChannels = m_channels[right];
        shape.hasRelu = hasRelu;
        return shape;
    }

    bool m_isRelu;
    AddShape m_shape;
    std::vector<std::int64_t> m_channels; ///< of the sources
};

} // namespace

std::unique_ptr<Op> makeOp(const Add& add, CudaContext& /*context*/)
{
    return std::make_unique<AddOp>(add);
}

} // namespace lockstep::cuda
