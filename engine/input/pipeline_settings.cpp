// SPDX-License-Identifier: Apache-2.0
#include "input/pipeline_settings.h"

#include "base/error.h"

#include <algorithm>
#include <limits>

namespace lockstep {
namespace {

// Generous, and small enough that no product of them overflows.
constexpr std::int64_t kMostExamples = std::int64_t{1} << 24;
constexpr std::int64_t kMostBatches = std::int64_t{1} << 12;
constexpr std::int64_t kMostThreads = 1024;

void inRange(std::int64_t value, std::int64_t most, const char* name)
{
    if (value < 1 || value > most) {
        fail(ErrorCode::BadInput, "{} is {}: give a number from 1 to {}", name, value, most);
    }
}

} // namespace

void PipelineSettings::validate(const Dataset& dataset) const
{
    inRange(globalBatch, kMostExamples, "the global batch");
    inRange(threads, kMostThreads, "the number of loader threads (input.threads)");
    inRange(prefetchBatches, kMostBatches, "the number of batches to prefetch");
    if (startPosition < 0) {
        fail(
            ErrorCode::BadInput, "the input can't start at example {}: give 0 or more",
            startPosition);
    }
    distortion.validate(dataset.info().imageShape);
    require(
        distortion.masked.has_value() == dataset.info().hasMasks
            && distortion.photo.has_value() == dataset.info().isEncoded,
        "the input is set up for another kind of data set");
    shards.validate(dataset, globalBatch);
    if (dataset.size() < 1) {
        fail(
            ErrorCode::Data, "{} ({}) has no examples: choose a data set that has some",
            dataset.info().name, dataset.info().split);
    }
}

PipelineSettings PipelineSettings::forEvaluation() const
{
    PipelineSettings settings = *this;
    settings.order = ExampleOrder::Sequential;
    settings.startPosition = settings.startStep = 0;
    settings.distortion = distortion.forEvaluation();
    settings.shards = {};
    return settings;
}

std::int64_t PipelineSettings::batches(const Dataset& dataset) const
{
    if (order != ExampleOrder::Sequential) {
        return std::numeric_limits<std::int64_t>::max();
    }
    const std::int64_t left = std::max<std::int64_t>(0, dataset.size() - startPosition);
    return (left + globalBatch - 1) / globalBatch;
}

std::int64_t PipelineSettings::rows(const Dataset& dataset, std::int64_t index) const
{
    if (order != ExampleOrder::Sequential) {
        return ownRows();
    }
    const std::int64_t left = dataset.size() - startPosition - index * globalBatch;
    return std::clamp<std::int64_t>(left, 0, globalBatch);
}

std::int64_t PipelineSettings::batchBytes(const Dataset& dataset) const
{
    const std::int64_t pixels = distortion.cropHeight * distortion.cropWidth;
    const std::int64_t cells = distortion.masked ? pixels / (kPixelsPerCell * kPixelsPerCell) : 0;
    const std::int64_t values = pixels * dataset.info().imageShape.channels + cells;
    constexpr auto kValueBytes = static_cast<std::int64_t>(sizeof(float));
    constexpr auto kNumberBytes =
        static_cast<std::int64_t>(sizeof(std::int32_t) + sizeof(std::int64_t));
    return ownRows() * (values * kValueBytes + kNumberBytes);
}

} // namespace lockstep
