// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

/// Where the kernels of a measured step leave sums over the values of each chunk, in double: a ring
/// in memory of the host that the device can write. What they mean: metrics/gradient_record.h.
struct GradientSums
{
    /// Sums of a chunk. From Towers on each tower of the device has two: the squared norm of its
    /// gradient, and the dot product with the mean.
    enum Sum { MeanSquares, WeightSquares, UpdateSquares, Towers };

    double* ring = nullptr; ///< null: the step is not measured
    std::int64_t slotCount = 1;
    std::int64_t everySteps = 1; ///< step k, a multiple of it, uses slot k / everySteps % slotCount
    std::int64_t chunks = 0;
    int towers = 0; ///< of the device

    [[nodiscard]] constexpr std::int64_t sumsOfChunk() const { return Towers + 2 * towers; }
    [[nodiscard]] constexpr std::int64_t count() const
    {
        return slotCount * chunks * sumsOfChunk();
    }
    /// The first sum of a chunk.
    [[nodiscard]] constexpr double* at(std::int64_t step, std::int64_t chunk) const
    {
        return ring + (step / everySteps % slotCount * chunks + chunk) * sumsOfChunk();
    }
};

} // namespace lockstep
