// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/convolution/filter_gradient.h"

#include <algorithm>

namespace lockstep::cpu {

FilterGradient::FilterGradient(const Work& work) : m_work(work)
{
    const std::int64_t width = work.conv.kernel.width;
    const std::int64_t half = width / 2 + 1;
    // A half that leaves columns out pads less on that side, which must not become negative.
    const std::int64_t leftOut = width - half;
    const bool canBeHalved =
        work.window.before.back() >= leftOut && work.window.after.back() >= leftOut;
    if (width <= kMostFilterColumns || !canBeHalved) {
        addColumns(0, width, work.conv.hasBias);
        return;
    }
    addColumns(0, half, work.conv.hasBias);
    addColumns(leftOut, half, false);
}

Desc FilterGradient::filter(std::int64_t columns) const
{
    Conv2d conv = m_work.conv;
    conv.kernel.width = columns;
    return filterDesc(conv, m_work.src.dims()[1], Element::Float32);
}

void FilterGradient::addColumns(std::int64_t firstColumn, std::int64_t columns, bool hasBias)
{
    const std::int64_t width = m_work.conv.kernel.width;
    WindowDims window = m_work.window;
    window.kernel.back() = columns;
    window.before.back() -= firstColumn;
    window.after.back() -= width - firstColumn - columns;
    const Desc any = anyOrder(filter(columns));
    const Desc operand(any.dims(), m_work.src.data_type(), dnnl::memory::format_tag::any);
    const ConvForward hint = convForward({m_work.src, operand, {}, m_work.dst}, window, true);
    Part part;
    part.firstColumn = firstColumn;
    part.columns = columns;
    part.hasBias = hasBias;
    const Desc bias = hasBias ? vectorDesc(m_work.conv.channels) : Desc();
    part.desc = convBackwardWeights({m_work.src, any, bias, m_work.dst}, window, hint);
    part.gradient = addPart(m_scratchBytes, part.desc.diff_weights_desc().get_size());
    part.temporary = addPart(m_scratchBytes, part.desc.scratchpad_desc().get_size());
    m_parts.push_back(std::move(part));
}

int FilterGradient::slowness() const
{
    int slowest = 0;
    for (const Part& part : m_parts) {
        slowest = std::max(slowest, cpu::slowness(part.desc.impl_info_str()));
    }
    return slowest;
}

std::string FilterGradient::describe() const
{
    const std::string text = m_parts.front().desc.impl_info_str();
    return m_parts.size() > 1 ? text + " in halves" : text;
}

void FilterGradient::bind(const std::byte* src, std::byte* diffDst, std::byte* scratch)
{
    m_scratch = scratch;
    for (Part& part : m_parts) {
        bindPart(part, src, diffDst, scratch);
    }
}

void FilterGradient::bindPart(
    Part& part, const std::byte* src, std::byte* diffDst, std::byte* scratch) const
{
    const auto& desc = part.desc;
    PrimitiveCall::Arguments arguments{
        {DNNL_ARG_SRC, memoryAt(desc.src_desc(), src)},
        {DNNL_ARG_DIFF_DST, memoryAt(desc.diff_dst_desc(), diffDst)},
        {DNNL_ARG_DIFF_WEIGHTS, memoryAt(desc.diff_weights_desc(), scratch + part.gradient)},
        {DNNL_ARG_SCRATCHPAD, memoryAt(desc.scratchpad_desc(), scratch + part.temporary)}};
    if (part.hasBias) {
        arguments.emplace(DNNL_ARG_DIFF_BIAS, memoryAt(desc.diff_bias_desc()));
    }
    part.call = {dnnl::convolution_backward_weights(desc), arguments};
    const Desc whole = filter(m_work.conv.kernel.width);
    dnnl::memory::dims first(whole.dims().size());
    first.back() = part.firstColumn;
    part.toArena.emplace(
        desc.diff_weights_desc(), whole.submemory_desc(filter(part.columns).dims(), first));
}

void FilterGradient::run(float* diffWeights, float* diffBias)
{
    for (Part& part : m_parts) {
        if (part.hasBias) {
            part.call.set(DNNL_ARG_DIFF_BIAS, diffBias);
        }
        part.call.run();
        part.toArena->run(m_scratch + part.gradient, diffWeights);
    }
}

} // namespace lockstep::cpu
