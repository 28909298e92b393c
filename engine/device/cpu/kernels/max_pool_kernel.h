// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/runtime/channel_layout.h"
#include "device/cpu/runtime/channel_pieces.h"
#include "network/layer_spec.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep::cpu {

/// Max pooling of images whose channels lie side by side. Cells of the padding don't count.
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

/// A pair of a cell and a window, seen from one of them.
struct PoolPair
{
    std::int32_t other = 0;  ///< the cell of the other tensor, row by row
    std::uint32_t place = 0; ///< number of the cell among those of the window in the image
};

/// For each cell of a tensor, its pairs.
class PoolPairs
{
public:
    void add(PoolPair pair) { m_pairs.push_back(pair); }
    void endCell() { m_ends.push_back(m_pairs.size()); }
    [[nodiscard]] std::size_t cells() const { return m_ends.size(); }
    [[nodiscard]] std::span<const PoolPair> of(std::size_t cell) const
    {
        const std::size_t begin = cell == 0 ? 0 : m_ends[cell - 1];
        return {m_pairs.data() + begin, m_ends[cell] - begin};
    }

private:
    std::vector<PoolPair> m_pairs;
    std::vector<std::size_t> m_ends;
};

/// Vectorised over channels. Calls allocate nothing; the threads are those of OpenMP.
class MaxPoolKernel
{
public:
    MaxPoolKernel() = default;
    explicit MaxPoolKernel(const PoolWork& work);

    /// Cells of the image in the window that has most of them; below 65,535.
    [[nodiscard]] std::size_t mostCells() const { return m_mostCells; }
    /// The window cell that forward took for each element of dst, kept for backward: one byte, or
    /// two for windows of more than 255 cells.
    [[nodiscard]] std::size_t indexBytes() const;
    [[nodiscard]] bool hasSmallIndex() const;

    /// dst is the largest of each window, the first one of equals; the first NaN, where there is
    /// one, counts as the largest (oneDNN drops it, and a training whose values are no longer
    /// numbers would go on with a finite loss). `index` may be null where no backward follows.
    void forward(const std::byte* src, std::byte* dst, std::byte* index) const;

    /// diffSrc of each cell: the sum over the windows that took it, in float32 and in the order of
    /// the windows.
    void backward(const std::byte* diffDst, const std::byte* index, std::byte* diffSrc) const;

    /// Of dst, as long as it is a tensor of its own.
    [[nodiscard]] ChannelLayout dstLayout() const
    {
        ChannelLayout layout = m_work.src;
        layout.positions = m_work.dstHeight * m_work.dstWidth;
        return layout;
    }
    /// From now on dst and its gradient lie there.
    void placeDst(const PiecePlaces& places) { m_dst = places; }
    [[nodiscard]] const PiecePlaces& dst() const { return m_dst; }

    [[nodiscard]] const PoolWork& work() const { return m_work; }
    /// Of each cell of dst: the cells of its window.
    [[nodiscard]] const PoolPairs& ofDst() const { return m_ofDst; }
    /// Of each cell of src: the windows over it.
    [[nodiscard]] const PoolPairs& ofSrc() const { return m_ofSrc; }

private:
    /// Of all planes of a tensor with such planes.
    [[nodiscard]] std::int64_t cellsOf(const PoolPairs& plane) const;

    PoolWork m_work;
    PiecePlaces m_dst;
    std::size_t m_mostCells = 0;
    PoolPairs m_ofDst;
    PoolPairs m_ofSrc;
};

} // namespace lockstep::cpu
