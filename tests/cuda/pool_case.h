// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/kernel_test.h"
#include "device/cuda/pooling/pool_shape.h"
#include "network/network_spec.h"

namespace lockstep::test {

/// A layer with such windows, and what it is given.
template<class Pool>
struct PoolCase
{
    std::int64_t examples = 1;
    Shape src;
    Pool pool;
    Shape dst;
    std::int64_t gap = 0; ///< behind the channels of a position of dst

    [[nodiscard]] cuda::PoolShape shape(cuda::DataType type) const
    {
        OpPlan plan;
        plan.examples = examples;
        plan.srcs = {cuda::tensorPlan(examples, src, type)};
        plan.dstShape = dst;
        return cuda::poolShape(pool.window, pool.stride, pool.padding, plan);
    }
    /// Places in src of the cells under the window that makes a value of dst, by their meaning.
    [[nodiscard]] std::vector<std::size_t> cellsOf(std::size_t to) const
    {
        const Extent& window = pool.window;
        const Extent& stride = pool.stride;
        const Padding padding = pool.padding;
        const auto top = paddingCells(padding, src.height, window.height, stride.height).before;
        const auto left = paddingCells(padding, src.width, window.width, stride.width).before;
        const auto channels = static_cast<std::size_t>(src.channels);
        const auto cell = static_cast<std::int64_t>(to / channels);
        const std::int64_t column = cell % dst.width;
        const std::int64_t row = cell / dst.width % dst.height;
        const std::int64_t example = cell / dst.width / dst.height;
        std::vector<std::size_t> from;
        for (std::int64_t i = 0; i < window.height * window.width; ++i) {
            const std::int64_t y = row * stride.height - top + i / window.width;
            const std::int64_t x = column * stride.width - left + i % window.width;
            if (y >= 0 && y < src.height && x >= 0 && x < src.width) {
                const std::int64_t place = (example * src.height + y) * src.width + x;
                from.push_back(static_cast<std::size_t>(place) * channels + to % channels);
            }
        }
        return from;
    }
    /// Random ones of src or dst.
    [[nodiscard]] std::vector<float> values(const Shape& of, Random& random) const
    {
        return random.floats(static_cast<std::size_t>(examples * of.elements()), -1.0, 1.0);
    }
};

template<class Pool>
PoolCase<Pool> poolCase(std::int64_t examples, const Shape& src, const Pool& pool)
{
    return {examples, src, pool, chain(src, {pool}).layers[1].shape};
}

/// With windows of at most so many rows and columns.
template<class Pool>
PoolCase<Pool> randomPoolCase(Random& random, std::int64_t mostCells)
{
    const Shape src{
        random.integer(1, 17), random.integer(1, 17),
        random.oneOf<std::int64_t>({1, 3, 4, 5, 8, 12, 16, 24, 64})};
    const Extent window{random.integer(1, mostCells), random.integer(1, mostCells)};
    const bool fits = window.height <= src.height && window.width <= src.width;
    const Padding padding = fits && random.integer(0, 1) == 1 ? Padding::Valid : Padding::Same;
    return poolCase<Pool>(
        random.integer(1, 3), src, {window, {random.integer(1, 4), random.integer(1, 4)}, padding});
}

} // namespace lockstep::test
