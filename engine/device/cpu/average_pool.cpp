// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/average_pool_kernel.h"
#include "device/cpu/channel_source.h"
#include "device/cpu/ops.h"

namespace lockstep::cpu {
namespace {

/// Works on images as the layer before left them, wherever it left the channels side by side.
class AveragePoolOp : public Op
{
public:
    explicit AveragePoolOp(const AveragePool& pool) : m_pool(pool) {}

    void plan(OpPlan& plan) override
    {
        PartSizes workspace;
        PartSizes scratchpad;
        m_source.plan(plan, ChannelSource::Order::Any, workspace, scratchpad);
        m_kernel = AveragePoolKernel(
            poolWork(m_pool.window, m_pool.stride, m_pool.padding, m_source.tensor(), plan));
        plan.dst = withSameLayout(m_source.tensor(), plan.dstShape);
        m_hasDiffSrc = plan.needsDiffSrc();
        plan.workspaceBytes = workspace.total();
        plan.scratchpadBytes = scratchpad.total();
    }

    void bind(const OpMemory& memory) override { m_memory = memory; }

    void forward(const StepContext& /*context*/) override
    {
        m_source.take(m_memory);
        m_kernel.forward(m_source.src(m_memory), m_memory.dst);
    }

    void backward(const StepContext& /*context*/) override
    {
        if (!m_hasDiffSrc) {
            return;
        }
        m_kernel.backward(m_memory.diffDst, m_source.diffSrc(m_memory));
        m_source.give(m_memory);
    }

    [[nodiscard]] std::string describe() const override { return "own vector kernel"; }

private:
    AveragePool m_pool;
    ChannelSource m_source;
    AveragePoolKernel m_kernel;
    OpMemory m_memory;
    bool m_hasDiffSrc = false;
};

} // namespace

std::unique_ptr<Op> makeOp(const AveragePool& pool)
{
    return std::make_unique<AveragePoolOp>(pool);
}

} // namespace lockstep::cpu
