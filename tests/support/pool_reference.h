// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cpu/pool_windows.h"
#include "network/network_spec.h"
#include "support/elements.h"
#include "support/random_network.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// Pooling of tensors in the kernels' layouts by plain loops: window by window, summed in float64;
// and random shapes of it.
namespace lockstep::test {

/// What goes into a pooling.
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

inline PoolResults maxPoolReference(const cpu::PoolWork& work, const PoolTensors& tensors)
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

inline PoolResults averagePoolReference(const cpu::PoolWork& work, const PoolTensors& tensors)
{
    PoolResults results;
    results.dst.resize(dstElements(work));
    std::vector<double> sums(srcElements(work));
    forEachWindow(work, [&](std::size_t place, const std::vector<std::size_t>& cells) {
        double sum = 0.0;
        for (const std::size_t cell : cells) {
            sum += double{tensors.src[cell]};
            sums[cell] += double{tensors.diffDst[place]} / static_cast<double>(cells.size());
        }
        results.dst[place] = static_cast<float>(sum / static_cast<double>(cells.size()));
    });
    results.diffSrc.assign(sums.begin(), sums.end());
    return results;
}

/// Padding and number of windows along one side such that every window has a cell of the image.
struct Side
{
    std::int64_t before;
    std::int64_t windows;
};

inline Side randomSide(std::int64_t size, std::int64_t window, std::int64_t stride, Random& random)
{
    const auto kind = random.integer(0, 2);
    if (kind == 0 && window <= size) {
        return {0, (size - window) / stride + 1};
    }
    if (kind == 1) {
        return {
            paddingCells(Padding::Same, size, window, stride).before, (size + stride - 1) / stride};
    }
    const std::int64_t before = random.integer(0, window - 1);
    return {before, random.integer(1, (size - 1 + before) / stride + 1)};
}

inline cpu::PoolWork workOn(
    const Extent& image, std::int64_t channels, std::int64_t block, Extent window, Extent stride)
{
    cpu::PoolWork work;
    work.src = {1, image.height * image.width, (channels + block - 1) / block, block};
    work.srcHeight = image.height;
    work.srcWidth = image.width;
    work.window = window;
    work.stride = stride;
    return work;
}

/// Of some random shape; large: with windows of hundreds of cells.
inline cpu::PoolWork randomWork(cpu::Element element, bool isLarge, Random& random)
{
    const auto channels = random.oneOf<std::int64_t>({1, 2, 3, 5, 8, 15, 16, 17, 33, 64});
    const auto block = random.oneOf<std::int64_t>({channels, 8, 16});
    const auto extent = [&](std::int64_t least, std::int64_t most) {
        return Extent{random.integer(least, most), random.integer(least, most)};
    };
    cpu::PoolWork work = workOn(
        isLarge ? extent(8, 22) : extent(1, 9), channels, block,
        isLarge ? extent(15, 18) : extent(1, 5), extent(1, isLarge ? 6 : 3));
    work.src.images = isLarge ? 1 : random.integer(1, 3);
    work.src.element = element;
    const Side rows = randomSide(work.srcHeight, work.window.height, work.stride.height, random);
    const Side columns = randomSide(work.srcWidth, work.window.width, work.stride.width, random);
    work.rowsBefore = rows.before;
    work.dstHeight = rows.windows;
    work.columnsBefore = columns.before;
    work.dstWidth = columns.windows;
    work.isRelu = random.integer(0, 1) == 1;
    return work;
}

inline QByteArray text(const cpu::PoolWork& work, int number)
{
    return QString("case %1: %2 x %3x%4, %5 blocks of %6, window %7x%8, stride %9x%10, before %11 "
                   "and %12, to %13x%14%15")
        .arg(number)
        .arg(work.src.images)
        .arg(work.srcHeight)
        .arg(work.srcWidth)
        .arg(work.src.blocks)
        .arg(work.src.block)
        .arg(work.window.height)
        .arg(work.window.width)
        .arg(work.stride.height)
        .arg(work.stride.width)
        .arg(work.rowsBefore)
        .arg(work.columnsBefore)
        .arg(work.dstHeight)
        .arg(work.dstWidth)
        .arg(work.isRelu ? ", relu" : "")
        .toLatin1();
}

} // namespace lockstep::test
