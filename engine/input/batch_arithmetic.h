// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace lockstep {

/// What a choice of towers, batch and steps means. All numbers are of examples or steps.
struct BatchArithmetic
{
    std::int64_t globalBatch = 0;        ///< G = towers * batch per tower: examples of one step
    double stepsPerEpoch = 0.0;          ///< M / G, M the examples in the set
    std::int64_t wholeStepsPerEpoch = 0; ///< steps that lie wholly within the first epoch
    std::int64_t carriedExamples = 0; ///< M mod G: examples of the first epoch that are left over
                                      ///< and share a batch with the first of the second epoch
    std::int64_t examplesInRun = 0;   ///< steps * G
    double epochsInRun = 0.0;         ///< steps * G / M
};

/// Throws Error(BadInput) that names the culprit if `towers` or `batchPerTower` is below 1 or
/// `steps` below 0, or if the products are beyond 2^63; Error(Data) if there are no examples.
BatchArithmetic batchArithmetic(
    std::int64_t examples, std::int64_t towers, std::int64_t batchPerTower, std::int64_t steps);

/// globalBatch / towers. Throws Error(BadInput) if that isn't whole and at least 1, naming the
/// nearest global batches, below and above, that can be divided.
std::int64_t splitGlobalBatch(std::int64_t globalBatch, std::int64_t towers);

} // namespace lockstep
