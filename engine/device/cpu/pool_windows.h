// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/channel_layout.h"
#include "device/op.h"
#include "network/layer_spec.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::cpu {

/// Pooling of images whose channels lie side by side. Cells of the padding don't count.
struct PoolWork
{
    ChannelLayout src; ///< positions are those of the source
    std::int64_t srcHeight = 0;
    std::int64_t srcWidth = 0;
    std::int64_t dstHeight = 0;
    std::int64_t dstWidth = 0;
    Extent window;
    Extent stride;
    std::int64_t rowsBefore = 0;    ///< padding at the top
    std::int64_t columnsBefore = 0; ///< padding on the left
    bool isRelu = false; ///< src has yet to go through ReLU; diffSrc is that of the values before
    int threads = 1;     ///< that share the cells
};

/// The work of a layer with such windows. `src` is its source as the kernel reads it, which has a
/// channelLayout().
PoolWork poolWork(
    const Extent& window, const Extent& stride, Padding padding, const TensorPlan& src,
    const OpPlan& plan);

/// A meeting of a cell and a window, seen from one of them.
struct PoolMeeting
{
    std::int32_t other = 0;  ///< the cell of the other tensor, row by row
    std::uint32_t place = 0; ///< number of the cell among those of the window in the image
};

/// For each cell of a tensor, whom it meets.
class PoolMeetings
{
public:
    void add(PoolMeeting meeting) { m_meetings.push_back(meeting); }
    void endCell() { m_ends.push_back(m_meetings.size()); }
    [[nodiscard]] std::size_t cells() const { return m_ends.size(); }
    [[nodiscard]] std::span<const PoolMeeting> of(std::size_t cell) const
    {
        const std::size_t begin = cell == 0 ? 0 : m_ends[cell - 1];
        return {m_meetings.data() + begin, m_ends[cell] - begin};
    }

private:
    std::vector<PoolMeeting> m_meetings;
    std::vector<std::size_t> m_ends;
};

/// Which cells of the source meet which windows; the same in every plane.
class PoolWindows
{
public:
    PoolWindows() = default;
    explicit PoolWindows(const PoolWork& work);

    /// Cells of the image in the window that has most of them.
    [[nodiscard]] std::size_t mostCells() const { return m_mostCells; }
    /// Of each cell of dst: the cells of its window.
    [[nodiscard]] const PoolMeetings& ofDst() const { return m_ofDst; }
    /// Of each cell of src: the windows over it.
    [[nodiscard]] const PoolMeetings& ofSrc() const { return m_ofSrc; }

private:
    std::size_t m_mostCells = 0;
    PoolMeetings m_ofDst;
    PoolMeetings m_ofSrc;
};

/// Cells of all planes of a tensor with such planes.
inline std::int64_t cellsOf(const PoolWork& work, const PoolMeetings& plane)
{
    return work.src.images * work.src.blocks * static_cast<std::int64_t>(plane.cells());
}

/// Cells of all planes, one plane after the other.
struct PoolRange
{
    std::int64_t first = 0;
    std::int64_t end = 0;
};

} // namespace lockstep::cpu
