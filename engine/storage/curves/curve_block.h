// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"
#include "storage/rows/curve_bytes.h"
#include "storage/rows/run_lineage.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// Which steps of which branch a row of `curve_block` is about. Both its blobs begin with branch,
/// first step and steps, so that none is taken for another's.
struct CurveBlockKey
{
    std::int64_t branch = 0;
    std::int64_t firstStep = 0;
    std::int64_t steps = 0;
    int towers = 0;

    /// Whether a block can be like that at all.
    [[nodiscard]] bool isPossible() const;
};

/// What curves need of consecutive steps of a branch, in columns: up to kBlockSteps of them, ending
/// before a multiple of that. Kept in the table `curve_block` beside the rows that it is made from.
struct CurveBlock
{
    static constexpr std::int64_t kBlockSteps = 4096;

    struct Tower
    {
        std::vector<float> loss;
        std::vector<std::int64_t> correct;
        std::vector<std::int64_t> examples;
        std::vector<std::vector<float>> objectives; ///< by objective
    };

    std::int64_t firstStep = 0;
    std::vector<std::int64_t> wallNanoseconds; ///< these and the next: -1: not known
    std::vector<std::int64_t> stepNanoseconds;
    std::vector<std::int64_t> examples;
    std::vector<float> learningRate;
    std::vector<float> lossMean;
    std::vector<float> weightDecayLoss; ///< of a block of an older program not numbers
    std::vector<Tower> towers;

    /// First step of the block that a step lies in.
    static std::int64_t startOf(std::int64_t step) { return step / kBlockSteps * kBlockSteps; }

    [[nodiscard]] std::size_t size() const noexcept { return lossMean.size(); }
    [[nodiscard]] CurveBlockKey key(std::int64_t branch) const;
    [[nodiscard]] std::int64_t endStep() const
    {
        return firstStep + static_cast<std::int64_t>(size());
    }
    /// Takes the next step, which has as many towers as those before.
    void append(const StepRecord& record);
    /// Fills in what it has of step i; the rest of the record is that of StepRecord{}.
    void fill(StepRecord& record, std::size_t i, const LineageSegment& branch) const;
};

void putKey(ByteWriter& writer, const CurveBlockKey& key);
/// Reads a key; false if it is another one, or one that can't be.
bool isKey(ByteReader& reader, const CurveBlockKey& key);

/// The column `values`, as README.md has it.
std::vector<std::byte> curveValues(const CurveBlock& block, std::int64_t branch);

/// The block that `values` were made of; none if they are damaged. Takes memory only for what is
/// there.
std::optional<CurveBlock> curveBlockOf(std::span<const std::byte> values, const CurveBlockKey& key);

/// A double as float; what is finite stays so.
float curveFloat(double value);

} // namespace lockstep
