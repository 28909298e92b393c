// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/pool_windows.h"

#include <cstddef>
#include <vector>

namespace lockstep::cpu {

/// Average pooling, vectorised over channels; sums are float32, in the order of the cells. Calls
/// allocate nothing; the threads are those of OpenMP.
class AveragePoolKernel
{
public:
    AveragePoolKernel() = default;
    explicit AveragePoolKernel(const PoolWork& work);

    /// dst is the mean of each window's cells in the image.
    void forward(const std::byte* src, std::byte* dst) const;
    /// diffSrc of each cell: the sum over the windows of its share in their gradients.
    void backward(const std::byte* diffDst, std::byte* diffSrc) const;

    [[nodiscard]] const PoolWork& work() const { return m_work; }
    [[nodiscard]] const PoolWindows& windows() const { return m_windows; }
    /// What a cell of the window of this cell of dst counts.
    [[nodiscard]] float share(std::size_t dstCell) const { return m_shares[dstCell]; }

private:
    PoolWork m_work;
    PoolWindows m_windows;
    std::vector<float> m_shares; ///< 1 / cells of the window, by cell of dst
};

} // namespace lockstep::cpu
