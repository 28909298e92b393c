// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/pool_windows.h"

#include <cstddef>

namespace lockstep::cpu {

/// Max pooling, vectorised over channels. Calls allocate nothing; the threads are those of OpenMP.
class MaxPoolKernel
{
public:
    MaxPoolKernel() = default;
    explicit MaxPoolKernel(const PoolWork& work);

    /// Cells of the image in the window that has most of them; below 65,535.
    [[nodiscard]] std::size_t mostCells() const { return m_windows.mostCells(); }
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

    [[nodiscard]] const PoolWork& work() const { return m_work; }
    [[nodiscard]] const PoolWindows& windows() const { return m_windows; }

private:
    PoolWork m_work;
    PoolWindows m_windows;
};

} // namespace lockstep::cpu
