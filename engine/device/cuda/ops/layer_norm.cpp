// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/kernels/layer_norm_kernel.h"

#include "base/error.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/runtime/cuda_layout.h"
#include "device/cuda/runtime/cuda_stream.h"

namespace lockstep::cuda {
namespace {

class LayerNormOp : public Op
{
public:
    explicit LayerNormOp(const LayerNorm& spec)
    {
        m_shape.epsilon = static_cast<float>(spec.epsilon);
    }

    void plan(OpPlan& plan) override
    {
        const CudaLayout& layout = layoutOf(plan.src());
        require(layout.channels == plan.src().shape.channels, "normalisation of padded channels");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, layout.type);
        m_shape.type = layout.type;
        m_shape.positions = plan.examples * plan.dstShape.height * plan.dstShape.width;
        m_shape.channels = plan.dstShape.channels;
        m_gamma = plan.weightsOffset();
        m_beta = plan.biasOffset();
        m_trains = plan.trainsParameters;
        plan.workspaceBytes = static_cast<std::size_t>(m_shape.positions) * sizeof(PositionMoments);
        plan.scratchpadBytes = m_trains ? layerNormScratchBytes(m_shape) : 0;
    }

    void forward(const StepContext& context) override
    {
        layerNormForward(
            streamOf(context), m_shape, m_memory.src(), context.weights.values + m_gamma,
            context.weights.values + m_beta, m_memory.dst, moments());
    }

    void backward(const StepContext& context) override
    {
        const LayerNormDiff arrays{
            m_memory.src(), m_memory.diffDst, moments(), context.weights.values + m_gamma};
        if (m_trains) {
            layerNormParameterDiffs(
                streamOf(context), m_shape, arrays, reinterpret_cast<float*>(m_memory.scratchpad),
                context.gradients + m_gamma, context.gradients + m_beta);
        }
        if (m_memory.diffSrc() != nullptr) {
            layerNormBackward(streamOf(context), m_shape, arrays, m_memory.diffSrc());
        }
    }

    [[nodiscard]] std::string describe() const override { return "own kernels"; }

private:
    [[nodiscard]] PositionMoments* moments() const
    {
        return reinterpret_cast<PositionMoments*>(m_memory.workspace);
    }

    LayerNormShape m_shape;
    std::int64_t m_gamma = 0; ///< offsets in the arena
    std::int64_t m_beta = 0;
    bool m_trains = false;
};

} // namespace

std::unique_ptr<Op> makeOp(const LayerNorm& norm, CudaContext& /*context*/)
{
    return std::make_unique<LayerNormOp>(norm);
}

} // namespace lockstep::cuda
