// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/arrays/kernel.h"
#include "device/op.h"

#include <cstdint>

// The end of a loss's forward kernel, by one block.
namespace lockstep::cuda {

/// Writes what all threads have found together, and when; null `ends`: nowhere.
__device__ inline void writeResult(
    double lossSum, std::int64_t correct, ObjectiveResult* result, std::int64_t* ends)
{
    lossSum = blockSum(lossSum);
    correct = blockSum(correct);
    if (threadIdx.x == 0) {
        *result = {lossSum, correct};
        noteTime(ends);
    }
}

/// The results of `count` rows, always added in the same order.
template<unsigned kThreads>
__device__ void addResults(
    std::int64_t count, const ObjectiveResult* rows, ObjectiveResult* result, std::int64_t* ends)
{
    double lossSum = 0.0;
    std::int64_t correct = 0;
    for (std::int64_t i = threadIdx.x; i < count; i += kThreads) {
        lossSum += rows[i].lossSum;
        correct += rows[i].correct;
    }
    writeResult(lossSum, correct, result, ends);
}

} // namespace lockstep::cuda
