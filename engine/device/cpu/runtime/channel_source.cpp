// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/runtime/channel_source.h"

namespace lockstep::cpu {
namespace {

bool isPlain(const TensorPlan& plan)
{
    return imageLayoutOf(plan) == layoutOf(withChannelsLast(plan));
}

} // namespace

void ChannelSource::plan(OpPlan& plan, Order order)
{
    m_tensor = plan.src();
    if (order == Order::Plain ? isPlain(m_tensor) : channelLayout(m_tensor).has_value()) {
        return;
    }
    m_tensor = withChannelsLast(plan.src());
    m_toRows.emplace(imageLayoutOf(plan.src()), layoutOf(m_tensor));
    m_rows = addPart(plan.workspaceBytes, m_tensor.bytes);
    if (plan.isTraining && plan.needsDiffSrc()) {
        m_fromRows.emplace(layoutOf(m_tensor), imageLayoutOf(plan.src()));
        m_diffRows = addPart(plan.scratchpadBytes, m_tensor.bytes);
    }
}

void ChannelSource::take(const OpMemory& memory)
{
    if (m_toRows) {
        m_toRows->run(memory.src(), memory.workspace + m_rows);
    }
}

void ChannelSource::give(const OpMemory& memory)
{
    if (m_fromRows) {
        m_fromRows->run(memory.scratchpad + m_diffRows, memory.diffSrc());
    }
}

} // namespace lockstep::cpu
