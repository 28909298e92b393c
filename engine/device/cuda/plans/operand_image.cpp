// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/plans/operand_image.h"

#include "device/cuda/arrays/bfloat16.h"
#include "device/cuda/arrays/cast_kernel.h"
#include "device/cuda/runtime/memory_parts.h"

namespace lockstep::cuda {

void OperandImage::plan(OpPlan& plan, const Extent& kernel, const Extent& stride, Padding padding)
{
    const TensorPlan& src = plan.src();
    const DataType type = activationType(plan.precision);
    const Shape bare{src.shape.height, src.shape.width, layoutOf(src).channels};
    const auto rows = paddingCells(padding, bare.height, kernel.height, stride.height);
    const auto columns = paddingCells(padding, bare.width, kernel.width, stride.width);
    m_shape = bare;
    m_bareValues = src.examples * bare.elements();
    m_isRounded = layoutOf(src).type != type;
    if (m_isRounded) {
        m_bareBytes = static_cast<std::size_t>(m_bareValues) * bytesOf(type);
        m_rounded = addPart(plan.workspaceBytes, m_bareBytes);
    }
    m_isPadded = rows.before != rows.after || columns.before != columns.after;
    if (!m_isPadded) {
        m_padding = {rows.before, columns.before};
        return;
    }
    m_shape.height += rows.before + rows.after;
    m_shape.width += columns.before + columns.after;
    const ImageExtent inner{bare.height, bare.width};
    const ImageExtent outer{m_shape.height, m_shape.width};
    const std::size_t cellBytes = static_cast<std::size_t>(bare.channels) * bytesOf(type);
    m_pad = {src.examples, inner, outer, -rows.before, -columns.before, cellBytes};
    m_crop = {src.examples, outer, inner, rows.before, columns.before, cellBytes};
    m_paddedBytes = static_cast<std::size_t>(src.examples * m_shape.elements()) * bytesOf(type);
    m_padded = addPart(plan.workspaceBytes, m_paddedBytes);
}

void OperandImage::planDiff(std::size_t& scratchpadBytes)
{
    m_roundedDiff = addPart(scratchpadBytes, m_bareBytes);
    m_paddedDiff = addPart(scratchpadBytes, m_paddedBytes);
}

void OperandImage::make(cudaStream_t stream, const OpMemory& memory) const
{
    const std::byte* bare = memory.src();
    if (m_isRounded) {
        std::byte* rounded = memory.workspace + m_rounded;
        narrow(
            stream, reinterpret_cast<const float*>(bare), reinterpret_cast<Bfloat16*>(rounded),
            m_bareValues);
        bare = rounded;
    }
    if (m_isPadded) {
        copyWindow(stream, m_pad, bare, memory.workspace + m_padded);
    }
}

std::byte* OperandImage::address(const OpMemory& memory) const
{
    if (m_isPadded) {
        return memory.workspace + m_padded;
    }
    return m_isRounded ? memory.workspace + m_rounded : memory.src();
}

std::byte* OperandImage::diffAddress(const OpMemory& memory) const
{
    if (m_isPadded) {
        return memory.scratchpad + m_paddedDiff;
    }
    return m_isRounded ? memory.scratchpad + m_roundedDiff : memory.diffSrc();
}

void OperandImage::finishDiff(cudaStream_t stream, const OpMemory& memory) const
{
    std::byte* bare = m_isRounded ? memory.scratchpad + m_roundedDiff : memory.diffSrc();
    if (m_isPadded) {
        copyWindow(stream, m_crop, memory.scratchpad + m_paddedDiff, bare);
    }
    if (m_isRounded) {
        widen(
            stream, reinterpret_cast<const Bfloat16*>(bare),
            reinterpret_cast<float*>(memory.diffSrc()), m_bareValues);
    }
}

} // namespace lockstep::cuda
