// SPDX-License-Identifier: Apache-2.0
#include "device/cpu/pool_windows.h"

#include "network/network_spec.h"

#include <algorithm>

namespace lockstep::cpu {
namespace {

/// Calls body(row or column of the source) for those that a window at `start` covers.
template<class Body>
void forEachInside(std::int64_t start, std::int64_t window, std::int64_t size, Body body)
{
    for (std::int64_t i = std::max<std::int64_t>(0, start); i < std::min(size, start + window);
         ++i) {
        body(i);
    }
}

/// Calls meet(cell of src) for the window of a cell of dst.
template<class Meet>
void forEachMeeting(const PoolWork& work, std::int64_t dstCell, Meet meet)
{
    const std::int64_t top = dstCell / work.dstWidth * work.stride.height - work.rowsBefore;
    const std::int64_t left = dstCell % work.dstWidth * work.stride.width - work.columnsBefore;
    forEachInside(top, work.window.height, work.srcHeight, [&](std::int64_t y) {
        forEachInside(left, work.window.width, work.srcWidth, [&](std::int64_t x) {
            meet(y * work.srcWidth + x);
        });
    });
}

} // namespace

PoolWork poolWork(
    const Extent& window, const Extent& stride, Padding padding, const TensorPlan& src,
    const OpPlan& plan)
{
    const Shape& dst = plan.dstShape;
    const auto rows = paddingCells(padding, src.shape.height, window.height, stride.height);
    const auto columns = paddingCells(padding, src.shape.width, window.width, stride.width);
    return {
        *channelLayout(src),
        src.shape.height,
        src.shape.width,
        dst.height,
        dst.width,
        window,
        stride,
        rows.before,
        columns.before,
        src.pending == Activation::Relu,
        plan.threads};
}

PoolWindows::PoolWindows(const PoolWork& work)
{
    std::vector<std::vector<PoolMeeting>> ofSrc(
        static_cast<std::size_t>(work.srcHeight * work.srcWidth));
    for (std::int64_t cell = 0; cell < work.dstHeight * work.dstWidth; ++cell) {
        std::uint32_t place = 0;
        forEachMeeting(work, cell, [&](std::int64_t srcCell) {
            m_ofDst.add({static_cast<std::int32_t>(srcCell), place});
            ofSrc[static_cast<std::size_t>(srcCell)].push_back(
                {static_cast<std::int32_t>(cell), place});
            ++place;
        });
        m_mostCells = std::max<std::size_t>(m_mostCells, place);
        m_ofDst.endCell();
    }
    for (const auto& meetings : ofSrc) {
        for (const PoolMeeting& meeting : meetings) {
            m_ofSrc.add(meeting);
        }
        m_ofSrc.endCell();
    }
}

} // namespace lockstep::cpu
