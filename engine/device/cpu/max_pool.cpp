// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/dnnl_helpers.h"
#include "device/cpu/ops.h"

#include <unordered_map>

namespace lockstep::cpu {
namespace {

/// oneDNN's pooling takes padding before and after apart, so that TensorFlow's "SAME" needs no
/// copy.
class MaxPoolOp : public Op
{
public:
    explicit MaxPoolOp(const MaxPool& pool) : m_pool(pool) {}

    void plan(OpPlan& plan) override
    {
        const auto window =
            windowDims(m_pool.window, m_pool.stride, m_pool.padding, plan.src.shape);
        const Desc src = imageLayoutOf(plan.src);
        m_forwardDesc =
            maxPoolForward(src, imageDesc(plan.examples, plan.dstShape), window, plan.isTraining);
        const Desc dst = m_forwardDesc.dst_desc();
        plan.dst = tensorPlan(plan.examples, plan.dstShape, dst);
        std::size_t scratch = m_forwardDesc.scratchpad_desc().get_size();
        m_isTraining = plan.isTraining;
        m_hasBackward = plan.isTraining && plan.needsDiffSrc;
        if (plan.isTraining) {
            plan.workspaceBytes = m_forwardDesc.workspace_desc().get_size();
        }
        if (m_hasBackward) {
            m_backwardDesc = maxPoolBackward(src, dst, window, m_forwardDesc);
            scratch = std::max(scratch, m_backwardDesc.scratchpad_desc().get_size());
        }
        plan.scratchpadBytes = scratch;
    }

    void bind(const OpMemory& memory) override
    {
        m_forwardArgs = {
            {DNNL_ARG_SRC, memoryAt(m_forwardDesc.src_desc(), memory.src)},
            {DNNL_ARG_DST, memoryAt(m_forwardDesc.dst_desc(), memory.dst)},
            {DNNL_ARG_SCRATCHPAD, memoryAt(m_forwardDesc.scratchpad_desc(), memory.scratchpad)}};
        m_forward = dnnl::pooling_forward(m_forwardDesc);
        if (m_isTraining) {
            m_forwardArgs[DNNL_ARG_WORKSPACE] =
                memoryAt(m_forwardDesc.workspace_desc(), memory.workspace);
        }
        if (m_hasBackward) {
            m_backward = dnnl::pooling_backward(m_backwardDesc);
            m_backwardArgs = {
                {DNNL_ARG_DIFF_DST, memoryAt(m_backwardDesc.diff_dst_desc(), memory.diffDst)},
                {DNNL_ARG_DIFF_SRC, memoryAt(m_backwardDesc.diff_src_desc(), memory.diffSrc)},
                {DNNL_ARG_WORKSPACE, m_forwardArgs[DNNL_ARG_WORKSPACE]},
                {DNNL_ARG_SCRATCHPAD,
                 memoryAt(m_backwardDesc.scratchpad_desc(), memory.scratchpad)}};
        }
    }

    void forward(const StepContext& /*context*/) override
    {
        m_forward.execute(m_stream, m_forwardArgs);
    }

    void backward(const StepContext& /*context*/) override
    {
        if (m_hasBackward) {
            m_backward.execute(m_stream, m_backwardArgs);
        }
    }

    [[nodiscard]] std::string describe() const override { return m_forwardDesc.impl_info_str(); }

private:
    using Arguments = std::unordered_map<int, dnnl::memory>;

    MaxPool m_pool;
    bool m_isTraining = false;
    bool m_hasBackward = false;
    PoolForward m_forwardDesc;
    PoolBackward m_backwardDesc;
    dnnl::pooling_forward m_forward;
    dnnl::pooling_backward m_backward;
    Arguments m_forwardArgs;
    Arguments m_backwardArgs;
    dnnl::stream m_stream{dnnlEngine()};
};

} // namespace

std::unique_ptr<Op> makeOp(const MaxPool& pool)
{
    return std::make_unique<MaxPoolOp>(pool);
}

} // namespace lockstep::cpu
