// SPDX-License-Identifier: Apache-2.0
#include "input/batch_arithmetic.h"

#include "base/error.h"

#include <limits>

namespace lockstep {
namespace {

void checkTowers(std::int64_t towers)
{
    if (towers < 1) {
        fail(ErrorCode::BadInput, "towers is {}: give at least 1", towers);
    }
}

std::int64_t multiply(std::int64_t a, std::int64_t b, const char* what)
{
    if (a != 0 && b > std::numeric_limits<std::int64_t>::max() / a) {
        fail(
            ErrorCode::BadInput, "{} {} × {} is too large to count: give smaller numbers", what, a,
            b);
    }
    return a * b;
}

} // namespace

BatchArithmetic batchArithmetic(
    std::int64_t examples, std::int64_t towers, std::int64_t batchPerTower, std::int64_t steps)
{
    checkTowers(towers);
    if (batchPerTower < 1) {
        fail(ErrorCode::BadInput, "the batch per tower is {}: give at least 1", batchPerTower);
    }
    if (steps < 0) {
        fail(ErrorCode::BadInput, "steps is {}: give 0 or more", steps);
    }
    if (examples < 1) {
        fail(ErrorCode::Data, "the data set has no examples: choose one that has some");
    }
    BatchArithmetic result;
    result.globalBatch = multiply(towers, batchPerTower, "towers × batch per tower =");
    result.stepsPerEpoch = static_cast<double>(examples) / static_cast<double>(result.globalBatch);
    result.wholeStepsPerEpoch = examples / result.globalBatch;
    result.carriedExamples = examples % result.globalBatch;
    result.examplesInRun = multiply(steps, result.globalBatch, "steps × global batch =");
    result.epochsInRun = static_cast<double>(result.examplesInRun) / static_cast<double>(examples);
    return result;
}

std::int64_t splitGlobalBatch(std::int64_t globalBatch, std::int64_t towers)
{
    checkTowers(towers);
    if (globalBatch < 1) {
        fail(
            ErrorCode::BadInput, "the global batch is {}: give at least {}, one example a tower",
            globalBatch, towers);
    }
    const std::int64_t below = globalBatch - globalBatch % towers;
    if (below == 0) {
        fail(
            ErrorCode::BadInput,
            "a global batch of {} can't be split evenly over {} towers: use {}", globalBatch,
            towers, towers);
    }
    if (below != globalBatch) {
        fail(
            ErrorCode::BadInput,
            "a global batch of {} can't be split evenly over {} towers: use {} or {}", globalBatch,
            towers, below, below + towers);
    }
    return globalBatch / towers;
}

} // namespace lockstep
