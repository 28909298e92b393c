// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/kernels/max_pool_kernel.h"
#include "support/elements.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// Max pooling of tensors in the kernel's layouts by plain loops: window by window, gradients summed
// in float64.
namespace lockstep::test {

/// What goes into a max pooling.
struct PoolTensors
{
    std::vector<float> src;
    std::vector<float> diffDst;
};

/// What comes out.
struct PoolResults
{
    std::vector<float> dst;
    std::vector<float> diffSrc;
};

inline std::size_t srcElements(const cpu::PoolWork& work)
{
    return static_cast<std::size_t>(
        work.src.images * work.src.blocks * work.src.positions * work.src.block);
}

inline std::size_t dstElements(const cpu::PoolWork& work)
{
    return static_cast<std::size_t>(
        work.src.images * work.src.blocks * work.dstHeight * work.dstWidth * work.src.block);
}

/// Calls body(place in dst, places in src of the window's cells, row by row).
template<class Body>
void forEachWindow(const cpu::PoolWork& work, Body body)
{
    const std::int64_t block = work.src.block;
    for (std::int64_t plane = 0; plane < work.src.images * work.src.blocks; ++plane) {
        for (std::int64_t i = 0; i < work.dstHeight * work.dstWidth * block; ++i) {
            const std::int64_t top = i / block / work.dstWidth * work.stride.height;
            const std::int64_t left = i / block % work.dstWidth * work.stride.width;
            std::vector<std::size_t> cells;
            for (std::int64_t cell = 0; cell < work.window.height * work.window.width; ++cell) {
                const std::int64_t y = top + cell / work.window.width - work.rowsBefore;
                const std::int64_t x = left + cell % work.window.width - work.columnsBefore;
                if (y >= 0 && y < work.srcHeight && x >= 0 && x < work.srcWidth) {
                    const std::int64_t place =
                        (plane * work.src.positions + y * work.srcWidth + x) * block + i % block;
                    cells.push_back(static_cast<std::size_t>(place));
                }
            }
            const std::int64_t planeElements = work.dstHeight * work.dstWidth * block;
            body(static_cast<std::size_t>(plane * planeElements + i), cells);
        }
    }
}

/// The cell that a window takes; none where ReLU makes its value 0.
inline std::optional<std::size_t> chosenCell(
    const cpu::PoolWork& work, const std::vector<float>& src, const std::vector<std::size_t>& cells)
{
    std::size_t chosen = cells.front();
    for (const std::size_t cell : cells) {
        if (std::isnan(src[chosen])) {
            break;
        }
        if (std::isnan(src[cell]) || src[cell] > src[chosen]) {
            chosen = cell;
        }
    }
    if (work.isRelu && src[chosen] <= 0.0F) {
        return std::nullopt;
    }
    return chosen;
}

inline PoolResults poolReference(const cpu::PoolWork& work, const PoolTensors& tensors)
{
    PoolResults results;
    results.dst.resize(dstElements(work));
    std::vector<double> sums(srcElements(work));
    forEachWindow(work, [&](std::size_t place, const std::vector<std::size_t>& cells) {
        if (const auto chosen = chosenCell(work, tensors.src, cells)) {
            results.dst[place] = tensors.src[*chosen];
            sums[*chosen] += double{tensors.diffDst[place]};
        }
    });
    for (const double sum : sums) {
        results.diffSrc.push_back(rounded(work.src.element, static_cast<float>(sum)));
    }
    return results;
}

} // namespace lockstep::test
