// SPDX-License-Identifier: Apache-2.0
#include "storage/curves/curve_extents.h"

#include "metrics/throughput.h"
#include "storage/rows/nanoseconds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

/// Of each node, its steps as places in the block.
Ranges rangesOf(const CurveBlock& block)
{
    Ranges ranges;
    for (std::int64_t step = block.firstStep; step < block.endStep();) {
        const std::int64_t end = std::min(CurveExtents::nodeEnd(step), block.endStep());
        ranges.emplace_back(step - block.firstStep, end - block.firstStep);
        step = end;
    }
    ranges.emplace_back(0, block.size());
    return ranges;
}

void addNode(SeriesExtents& extents, std::span<const float> values)
{
    float minimum = std::numeric_limits<float>::infinity();
    float maximum = -minimum;
    double sum = 0.0;
    std::uint32_t finite = 0;
    for (const float value : values) {
        if (std::isfinite(value)) {
            minimum = std::min(minimum, value);
            maximum = std::max(maximum, value);
            sum += static_cast<double>(value);
            ++finite;
        }
    }
    constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
    extents.minimum.push_back(finite > 0 ? minimum : kNone);
    extents.maximum.push_back(finite > 0 ? maximum : kNone);
    extents.mean.push_back(finite > 0 ? static_cast<float>(sum / finite) : kNone);
    extents.notFinite.push_back(static_cast<std::uint32_t>(values.size()) - finite);
}

SeriesExtents seriesExtents(std::span<const float> values, const Ranges& ranges)
{
    SeriesExtents extents;
    for (const auto& [first, end] : ranges) {
        addNode(extents, values.subspan(first, end - first));
    }
    return extents;
}

std::vector<float> ratesOf(const CurveBlock& block, const LineageSegment& branch)
{
    std::vector<float> rates;
    rates.reserve(block.size());
    for (const std::int64_t step : block.stepNanoseconds) {
        rates.push_back(curveFloat(examplesPerSecond(branch.globalBatch(), secondsOf(step))));
    }
    return rates;
}

std::vector<float> crossEntropiesOf(const CurveBlock& block)
{
    std::vector<float> losses;
    losses.reserve(block.size());
    StepRecord step;
    for (std::size_t i = 0; i < block.size(); ++i) {
        step.lossMean = static_cast<double>(block.lossMean[i]);
        step.weightDecayLoss = static_cast<double>(block.weightDecayLoss[i]);
        losses.push_back(curveFloat(crossEntropy(step)));
    }
    return losses;
}

void put(ByteWriter& writer, const SeriesExtents& extents)
{
    writer.putFloats(extents.minimum);
    writer.putFloats(extents.maximum);
    writer.putFloats(extents.mean);
    writer.putCounts(extents.notFinite);
}

/// Of the columns behind the key.
std::size_t leastBytes(const CurveBlockKey& key)
{
    const std::size_t series =
        CurveExtents::nodes(key) * (3 * sizeof(float) + sizeof(std::uint32_t));
    return 2 * ByteWriter::kLeastIntegers + (2 + static_cast<std::size_t>(key.towers)) * series;
}

SeriesExtents get(ByteReader& reader, std::size_t nodes)
{
    SeriesExtents extents{
        std::vector<float>(nodes), std::vector<float>(nodes), std::vector<float>(nodes),
        std::vector<std::uint32_t>(nodes)};
    reader.floats(extents.minimum);
    reader.floats(extents.maximum);
    reader.floats(extents.mean);
    reader.counts(extents.notFinite);
    return extents;
}

} // namespace

std::size_t CurveExtents::nodes(const CurveBlockKey& key)
{
    const std::int64_t last = key.firstStep + key.steps - 1;
    return static_cast<std::size_t>(last / kNodeSteps - key.firstStep / kNodeSteps + 1) + 1;
}

CurveExtents extentsOf(const CurveBlock& block, const LineageSegment& branch)
{
    const Ranges ranges = rangesOf(block);
    CurveExtents extents;
    for (const auto& [first, end] : ranges) {
        extents.wallNanoseconds.push_back(block.wallNanoseconds[end - 1]);
        extents.examples.push_back(block.examples[end - 1]);
    }
    extents.lossMean = seriesExtents(block.lossMean, ranges);
    extents.examplesPerSecond = seriesExtents(ratesOf(block, branch), ranges);
    for (const CurveBlock::Tower& tower : block.towers) {
        extents.towerLoss.push_back(seriesExtents(tower.loss, ranges));
    }
    extents.crossEntropyMean = seriesExtents(crossEntropiesOf(block), ranges);
    return extents;
}

std::vector<std::byte> curveExtents(const CurveExtents& extents, const CurveBlockKey& key)
{
    ByteWriter writer;
    putKey(writer, key);
    writer.putIntegers(extents.wallNanoseconds);
    writer.putIntegers(extents.examples);
    put(writer, extents.lossMean);
    put(writer, extents.examplesPerSecond);
    for (const SeriesExtents& tower : extents.towerLoss) {
        put(writer, tower);
    }
    put(writer, extents.crossEntropyMean);
    return writer.take();
}

std::optional<CurveExtents> curveExtentsOf(
    std::span<const std::byte> bytes, const CurveBlockKey& key)
{
    ByteReader reader(bytes);
    if (!isKey(reader, key) || !reader.has(leastBytes(key))) {
        return std::nullopt;
    }
    const std::size_t nodes = CurveExtents::nodes(key);
    CurveExtents extents;
    extents.wallNanoseconds.resize(nodes);
    extents.examples.resize(nodes);
    reader.integers(extents.wallNanoseconds);
    reader.integers(extents.examples);
    extents.lossMean = get(reader, nodes);
    extents.examplesPerSecond = get(reader, nodes);
    for (int tower = 0; tower < key.towers; ++tower) {
        extents.towerLoss.push_back(get(reader, nodes));
    }
    // A block of the version before knows no weight decay.
    extents.crossEntropyMean = reader.isDone() ? extents.lossMean : get(reader, nodes);
    return reader.isDone() ? std::optional(std::move(extents)) : std::nullopt;
}

} // namespace lockstep
