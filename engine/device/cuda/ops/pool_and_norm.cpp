// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "device/cuda/ops/finished_gradient.h"
#include "device/cuda/ops/ops.h"
#include "device/cuda/pooling/pool_and_norm_kernel.h"
#include "device/cuda/runtime/cuda_stream.h"
#include "device/cuda/runtime/memory_parts.h"

#include <variant>

namespace lockstep::cuda {
namespace {

/// Keeps what is normalised, if that is not src, and the places of the largest values.
class PoolAndNormOp : public Op
{
public:
    PoolAndNormOp(const PoolAndNorm& pair, const Shape& inner) : m_pair(pair), m_innerShape(inner)
    {
    }

    [[nodiscard]] bool finishesGradient() const override { return true; }

    void plan(OpPlan& plan) override
    {
        // The pooling's dst is what is normalised, or this op's.
        OpPlan pool = plan;
        pool.dstShape = m_pair.isPoolFirst ? m_innerShape : plan.dstShape;
        m_shape = poolShape(m_pair.pool.window, m_pair.pool.stride, m_pair.pool.padding, pool);
        require(m_shape.type == activationType(plan.precision), "normalisation of another type");
        plan.dst = tensorPlan(plan.examples, plan.dstShape, m_shape.type);
        plan.inner = tensorPlan(plan.examples, m_innerShape, m_shape.type);
        m_places = addPart(plan.workspaceBytes, maxPoolPlaceBytes(m_shape));
        m_keepsInner = plan.keepsInner;
        if (m_pair.isPoolFirst && !m_keepsInner) {
            m_inner = addPart(plan.workspaceBytes, plan.inner.bytes);
        }
        m_end.plan(plan, poolAndNormScratchBytes(m_shape));
    }

    void forward(const StepContext& context) override
    {
        poolAndNormForward(
            streamOf(context), m_pair, m_shape,
            {m_memory.src(),
             inner(),
             m_memory.dst,
             {places(), m_pair.isPoolFirst && m_end.hasRelu()}});
    }

    void backward(const StepContext& context) override
    {
        poolAndNormBackward(
            streamOf(context), m_pair, m_shape,
            {m_pair.isPoolFirst ? inner() : m_memory.src(), m_memory.diffDst, places(),
             m_memory.diffSrc()},
            m_end.end(context, m_memory));
    }

private:
    [[nodiscard]] std::uint8_t* places() const
    {
        return reinterpret_cast<std::uint8_t*>(m_memory.workspace + m_places);
    }
    /// What was pooled, where that is normalised.
    [[nodiscard]] std::byte* inner() const
    {
        return m_keepsInner ? m_memory.inner : m_memory.workspace + m_inner;
    }

    PoolAndNorm m_pair;
    Shape m_innerShape;
    PoolShape m_shape;
    FinishedGradient m_end;
    bool m_keepsInner = false;
    std::size_t m_places = 0; ///< in the workspace
    std::size_t m_inner = 0;
};

} // namespace

std::unique_ptr<Op> makePoolAndNorm(
    const Layer& first, const Layer& second, const FusionSettings& settings)
{
    const bool isPoolFirst = std::holds_alternative<MaxPool>(first.spec);
    const auto* const pool = std::get_if<MaxPool>(isPoolFirst ? &first.spec : &second.spec);
    const auto* const norm = std::get_if<Lrn>(isPoolFirst ? &second.spec : &first.spec);
    // Normalised values are made as far as windows reach, and not kept.
    const bool lacksInner = settings.keepsInner && !isPoolFirst;
    if (pool == nullptr || norm == nullptr || lacksInner
        || !settings.features.has(StepFeature::PoolAndNorm)) {
        return nullptr;
    }
    const PoolAndNorm pair{*pool, *norm, isPoolFirst};
    return isOneKernel(pair, first.shape, activationType(settings.precision))
               ? std::make_unique<PoolAndNormOp>(pair, first.shape)
               : nullptr;
}

} // namespace lockstep::cuda
