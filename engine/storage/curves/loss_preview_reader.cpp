// SPDX-License-Identifier: Apache-2.0
#include "storage/curves/curve_reader.h"

#include "base/error.h"
#include "storage/curves/curve_extents.h"
#include "storage/rows/nanoseconds.h"
#include "storage/rows/run_lineage.h"
#include "storage/rows/run_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace lockstep {
namespace {

// Rows are read where the nodes of the blocks would leave a preview coarser than this many steps
// for each node that was asked for.
constexpr std::int64_t kFineSteps = 16;

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// Joins what comes to nodes of `width` steps, between multiples of that behind `origin`.
class LossPreviewBuilder
{
public:
    LossPreviewBuilder(std::int64_t origin, std::int64_t width) : m_origin(origin), m_width(width)
    {
    }

    /// A stretch of steps that comes after those before; it lies in one node.
    void add(const LossPreviewNode& part)
    {
        if (m_preview.empty() || placeOf(m_preview.back().firstStep) != placeOf(part.firstStep)) {
            close();
            m_preview.push_back({part.firstStep, 0, 0.0, 0.0, kNone, kNone, kNone, 0, 0});
        }
        LossPreviewNode& node = m_preview.back();
        node.endStep = part.endStep;
        node.epoch = part.epoch;
        node.wallSeconds = part.wallSeconds;
        node.examples = part.examples;
        node.minimum = std::fmin(node.minimum, part.minimum); // the one that is a number
        node.maximum = std::fmax(node.maximum, part.maximum);
        node.notFinite += part.notFinite;
        const std::int64_t finite = part.endStep - part.firstStep - part.notFinite;
        if (finite > 0) {
            m_sum += static_cast<double>(part.mean) * static_cast<double>(finite);
            m_finite += finite;
        }
    }

    LossPreview take()
    {
        close();
        return std::move(m_preview);
    }

private:
    [[nodiscard]] std::int64_t placeOf(std::int64_t step) const
    {
        return (step - m_origin) / m_width;
    }
    void close()
    {
        if (m_finite > 0) {
            m_preview.back().mean = static_cast<float>(m_sum / static_cast<double>(m_finite));
        }
        m_sum = 0.0;
        m_finite = 0;
    }

    std::int64_t m_origin;
    std::int64_t m_width;
    LossPreview m_preview;
    // Of the finite values of the last node.
    double m_sum = 0.0;
    std::int64_t m_finite = 0;
};

class LossPreviewReader
{
public:
    LossPreviewReader(const SqliteDatabase& database, LossPreviewBuilder& builder)
        : m_builder(builder),
          m_rows(database.prepare(fmt::format(
              "SELECT step, examples, wall_ns, {} FROM step"
              " WHERE branch = ? AND step >= ? AND step < ? ORDER BY step",
              hasWeightDecay(database) ? "loss_mean - ifnull(weight_decay_loss, 0)"
                                       : "loss_mean"))),
          m_blocks(database.prepare("SELECT first_step, steps, extents FROM curve_block"
                                    " WHERE branch = ? AND first_step >= ? AND first_step < ?"
                                    " ORDER BY first_step"))
    {
    }

    void readRows(const LineageSegment& segment)
    {
        m_rows.query(segment.branch, segment.first, segment.end);
        while (m_rows.next()) {
            const std::int64_t step = m_rows.integer(0);
            const bool isFinite = std::isfinite(m_rows.real(3));
            const float loss = isFinite ? curveFloat(m_rows.real(3)) : kNone;
            m_builder.add(
                {step, step + 1, segment.epochAfter(m_rows.integer(1)),
                 secondsOf(m_rows.isNull(2) ? -1 : m_rows.integer(2)), loss, loss, loss,
                 isFinite ? 0 : 1, m_rows.integer(1)});
        }
    }

    void readBlocks(const LineageSegment& segment)
    {
        std::int64_t next = segment.first;
        m_blocks.query(segment.branch, CurveBlock::startOf(segment.first), segment.end);
        while (m_blocks.next()) {
            const CurveBlockKey key{
                segment.branch, m_blocks.integer(0), m_blocks.integer(1), segment.towers};
            if (const auto extents = curveExtentsOf(m_blocks.blob(2), key)) {
                next = readNodes(segment.within(next, segment.end), key, *extents);
            }
        }
        readRows(segment.within(next, segment.end));
    }

private:
    /// Returns the step after those that it has read.
    std::int64_t readNodes(
        const LineageSegment& wanted, const CurveBlockKey& key, const CurveExtents& extents)
    {
        std::int64_t next = wanted.first;
        std::int64_t first = key.firstStep;
        for (std::size_t node = 0; first < key.firstStep + key.steps; ++node) {
            const std::int64_t end =
                std::min(CurveExtents::nodeEnd(first), key.firstStep + key.steps);
            if (first >= next && end <= wanted.end) {
                readRows(wanted.within(next, first));
                m_builder.add(
                    {first, end, wanted.epochAfter(extents.examples[node]),
                     secondsOf(extents.wallNanoseconds[node]),
                     extents.crossEntropyMean.minimum[node], extents.crossEntropyMean.maximum[node],
                     extents.crossEntropyMean.mean[node], extents.crossEntropyMean.notFinite[node],
                     extents.examples[node]});
                next = end;
            }
            first = end;
        }
        return next;
    }

    LossPreviewBuilder& m_builder;
    SqliteStatement m_rows;
    SqliteStatement m_blocks;
};

/// The least multiple of `unit` that is not below `value`.
std::int64_t roundUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/// Of segments that follow each other, up to the step `end`.
LossPreview lossPreviewOf(
    const SqliteDatabase& database, const std::vector<LineageSegment>& lineage, std::int64_t end,
    std::size_t mostNodes)
{
    if (lineage.empty() || end <= lineage.front().first) {
        return {};
    }
    const auto most = static_cast<std::int64_t>(mostNodes);
    const std::int64_t first = lineage.front().first;
    const bool isFine = (end - first) / kFineSteps <= most;
    const std::int64_t unit = isFine ? 1 : CurveExtents::kNodeSteps;
    const std::int64_t origin = first / unit * unit;
    LossPreviewBuilder builder(origin, roundUp(roundUp(end - origin, most) / most, unit));
    LossPreviewReader reader(database, builder);
    for (const LineageSegment& segment : lineage) {
        if (isFine) {
            reader.readRows(segment);
        } else {
            reader.readBlocks(segment);
        }
    }
    return builder.take();
}

} // namespace

LossPreview readLossPreview(const SqliteDatabase& database, std::size_t mostNodes)
{
    require(mostNodes > 0, "a loss preview of no nodes");
    return lossPreviewOf(database, lineageOf(database), nextStepOf(database), mostNodes);
}

std::vector<AbandonedStretch> readAbandoned(const SqliteDatabase& database, std::size_t mostNodes)
{
    require(mostNodes > 0, "a loss preview of no nodes");
    std::vector<AbandonedStretch> stretches;
    for (const LineageSegment& segment : abandonedSegments(database)) {
        stretches.push_back(
            {segment.branch, segment.first, segment.end,
             lossPreviewOf(database, {segment}, segment.end, mostNodes)});
    }
    return stretches;
}

} // namespace lockstep
