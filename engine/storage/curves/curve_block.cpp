// SPDX-License-Identifier: Apache-2.0
#include "storage/curves/curve_block.h"

#include "base/error.h"
#include "metrics/throughput.h"
#include "storage/rows/nanoseconds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace lockstep {
namespace {

constexpr std::int64_t kUnknown = -1;

/// How many columns a block has beside those of every step.
struct Columns
{
    std::size_t towers = 0;
    std::size_t objectives = 0;
};

void resize(CurveBlock& block, std::size_t steps, const Columns& columns)
{
    block.wallNanoseconds.resize(steps);
    block.stepNanoseconds.resize(steps);
    block.examples.resize(steps);
    block.learningRate.resize(steps);
    block.lossMean.resize(steps);
    block.weightDecayLoss.assign(steps, std::numeric_limits<float>::quiet_NaN());
    block.towers.resize(columns.towers);
    for (CurveBlock::Tower& tower : block.towers) {
        tower.loss.resize(steps);
        tower.correct.resize(steps);
        tower.examples.resize(steps);
        tower.objectives.assign(columns.objectives, std::vector<float>(steps));
    }
}

/// Of the columns behind the key.
std::size_t leastBytes(const CurveBlockKey& key, std::size_t objectives)
{
    const auto steps = static_cast<std::size_t>(key.steps);
    const std::size_t floats = steps * sizeof(float);
    const std::size_t integers = ByteWriter::kLeastIntegers;
    const std::size_t tower = (1 + objectives) * floats + 2 * integers;
    return 3 * integers + 2 * floats + static_cast<std::size_t>(key.towers) * tower;
}

} // namespace

bool CurveBlockKey::isPossible() const
{
    constexpr std::int64_t kLastStep = std::numeric_limits<std::int64_t>::max();
    return firstStep >= 0 && firstStep <= kLastStep - CurveBlock::kBlockSteps && steps > 0
           && steps <= CurveBlock::kBlockSteps && towers > 0 && towers <= RunBranch::kMostTowers;
}

float curveFloat(double value)
{
    constexpr double kMost = std::numeric_limits<float>::max();
    return static_cast<float>(std::isfinite(value) ? std::clamp(value, -kMost, kMost) : value);
}

CurveBlockKey CurveBlock::key(std::int64_t branch) const
{
    return {branch, firstStep, static_cast<std::int64_t>(size()), static_cast<int>(towers.size())};
}

void CurveBlock::append(const StepRecord& record)
{
    if (size() == 0) {
        firstStep = record.step;
        resize(*this, 0, {record.towers.size(), record.towers.front().objectives.size()});
    }
    require(
        record.step == endStep() && record.towers.size() == towers.size()
            && record.towers.front().objectives.size() == towers.front().objectives.size(),
        "a step that is not the next one of its block");
    wallNanoseconds.push_back(nanoseconds(record.wallSeconds).value_or(kUnknown));
    stepNanoseconds.push_back(nanoseconds(record.stepSeconds).value_or(kUnknown));
    examples.push_back(record.examples);
    learningRate.push_back(curveFloat(record.learningRate));
    lossMean.push_back(curveFloat(record.lossMean));
    weightDecayLoss.push_back(curveFloat(record.weightDecayLoss));
    for (std::size_t tower = 0; tower < towers.size(); ++tower) {
        towers[tower].loss.push_back(curveFloat(record.towers[tower].loss));
        towers[tower].correct.push_back(record.towers[tower].correct);
        towers[tower].examples.push_back(record.towers[tower].examples);
        for (std::size_t i = 0; i < towers[tower].objectives.size(); ++i) {
            towers[tower].objectives[i].push_back(curveFloat(record.towers[tower].objectives[i]));
        }
    }
}

void CurveBlock::fill(StepRecord& record, std::size_t i, const LineageSegment& branch) const
{
    record.step = firstStep + static_cast<std::int64_t>(i);
    record.examples = examples[i];
    record.epoch = branch.epochAfter(examples[i]);
    record.learningRate = static_cast<double>(learningRate[i]);
    record.wallSeconds = secondsOf(wallNanoseconds[i]);
    record.lossMean = static_cast<double>(lossMean[i]);
    record.weightDecayLoss = static_cast<double>(weightDecayLoss[i]);
    record.stepSeconds = secondsOf(stepNanoseconds[i]);
    record.examplesPerSecond = examplesPerSecond(branch.globalBatch(), record.stepSeconds);
    record.secondsPerBatch = secondsPerBatch(record.stepSeconds, branch.towers);
    record.towers.resize(towers.size());
    for (std::size_t t = 0; t < towers.size(); ++t) {
        const Tower& tower = towers[t];
        record.towers[t] = {
            static_cast<double>(tower.loss[i]), tower.correct[i], tower.examples[i]};
        for (const std::vector<float>& losses : tower.objectives) {
            record.towers[t].objectives.add(static_cast<double>(losses[i]));
        }
    }
    record.lossLast = towers.empty() ? 0.0 : record.towers.back().loss;
}

void putKey(ByteWriter& writer, const CurveBlockKey& key)
{
    writer.putInteger(key.branch);
    writer.putInteger(key.firstStep);
    writer.putInteger(key.steps);
}

bool isKey(ByteReader& reader, const CurveBlockKey& key)
{
    const bool isSame = reader.integer() == key.branch && reader.integer() == key.firstStep
                        && reader.integer() == key.steps;
    return isSame && reader.isGood() && key.isPossible();
}

std::vector<std::byte> curveValues(const CurveBlock& block, std::int64_t branch)
{
    ByteWriter writer;
    putKey(writer, block.key(branch));
    writer.putInteger(static_cast<std::int64_t>(block.towers.front().objectives.size()));
    writer.putIntegers(block.wallNanoseconds);
    writer.putIntegers(block.stepNanoseconds);
    writer.putIntegers(block.examples);
    writer.putFloats(block.learningRate);
    writer.putFloats(block.lossMean);
    for (const CurveBlock::Tower& tower : block.towers) {
        writer.putFloats(tower.loss);
        writer.putIntegers(tower.correct);
        writer.putIntegers(tower.examples);
        for (const std::vector<float>& losses : tower.objectives) {
            writer.putFloats(losses);
        }
    }
    writer.putFloats(block.weightDecayLoss);
    return writer.take();
}

std::optional<CurveBlock> curveBlockOf(std::span<const std::byte> values, const CurveBlockKey& key)
{
    ByteReader reader(values);
    if (!isKey(reader, key)) {
        return std::nullopt;
    }
    const auto objectives = static_cast<std::uint64_t>(reader.integer());
    if (objectives > ObjectiveLosses::kMost || !reader.has(leastBytes(key, objectives))) {
        return std::nullopt;
    }
    CurveBlock block;
    block.firstStep = key.firstStep;
    resize(
        block, static_cast<std::size_t>(key.steps),
        {static_cast<std::size_t>(key.towers), objectives});
    reader.integers(block.wallNanoseconds);
    reader.integers(block.stepNanoseconds);
    reader.integers(block.examples);
    reader.floats(block.learningRate);
    reader.floats(block.lossMean);
    for (CurveBlock::Tower& tower : block.towers) {
        reader.floats(tower.loss);
        reader.integers(tower.correct);
        reader.integers(tower.examples);
        for (std::vector<float>& losses : tower.objectives) {
            reader.floats(losses);
        }
    }
    if (!reader.isDone()) { // else it is of the version before
        reader.floats(block.weightDecayLoss);
    }
    return reader.isDone() ? std::optional(std::move(block)) : std::nullopt;
}

} // namespace lockstep
