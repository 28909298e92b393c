// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/layout/channel_source.h"

namespace lockstep::cpu {
namespace {

bool isPlain(const TensorPlan& plan)
{
    return imageLayoutOf(plan) == layoutOf(withChannelsLast(plan));
}

} // namespace

void ChannelSource::plan(OpPlan& plan, Order order, Reader reader)
{
    const TensorPlan& src = plan.src();
    const bool isRounded = elementOf(layoutOf(src)) == Element::Bfloat16;
    if (isRounded && reader == Reader::Library && !multipliesBfloat16()) {
        using Tag = dnnl::memory::format_tag;
        planAs(
            plan, tensorPlan(
                      src.examples, src.shape,
                      imageDesc(src.examples, src.shape, Element::Float32, Tag::nhwc)));
        return;
    }
    const bool isRead = order == Order::Plain ? isPlain(src) : channelLayout(src).has_value();
    planAs(plan, isRead ? src : withChannelsLast(src));
}

void ChannelSource::planAs(OpPlan& plan, const TensorPlan& tensor)
{
    m_tensor = tensor;
    const Desc given = imageLayoutOf(plan.src());
    if (imageLayoutOf(tensor) == given) {
        return;
    }
    m_toRows.emplace(given, layoutOf(m_tensor));
    // A copy of twice the size is rather made again than kept.
    m_isKept = !isWidened(given, layoutOf(m_tensor));
    m_rows = addPart(m_isKept ? plan.workspaceBytes : plan.scratchpadBytes, m_tensor.bytes);
    if (plan.isTraining && plan.needsDiffSrc()) {
        m_fromRows.emplace(layoutOf(m_tensor), given);
        m_diffRows = addPart(plan.scratchpadBytes, m_tensor.bytes);
    }
}

void ChannelSource::take(const OpMemory& memory)
{
    if (m_toRows) {
        m_toRows->run(memory.src(), placeOfRows(memory));
    }
}

void ChannelSource::give(const OpMemory& memory)
{
    if (m_fromRows) {
        m_fromRows->run(memory.scratchpad + m_diffRows, memory.diffSrc());
    }
}

} // namespace lockstep::cpu
