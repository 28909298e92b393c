// SPDX-License-Identifier: Apache-2.0
#include "storage/curves/curve_reader.h"

#include "storage/curves/curve_block.h"
#include "storage/rows/run_lineage.h"
#include "storage/rows/run_schema.h"
#include "storage/rows/step_row_reader.h"

#include <algorithm>

namespace lockstep {
namespace {

// Of the newest steps people want to see everything.
constexpr std::int64_t kFullSteps = 512;

class CurveReader
{
public:
    CurveReader(const SqliteDatabase& database, const std::function<void(const StepRecord&)>& take)
        : m_take(take), m_rows(database),
          m_blocks(database.prepare("SELECT first_step, steps, \"values\" FROM curve_block"
                                    " WHERE branch = ? AND first_step >= ? AND first_step < ?"
                                    " ORDER BY first_step"))
    {
    }

    /// Steps from `blocksEnd` on come from rows, those before from blocks where there are some.
    void read(const LineageSegment& segment, std::int64_t blocksEnd)
    {
        m_next = segment.first;
        m_blocks.query(segment.branch, CurveBlock::startOf(segment.first), blocksEnd);
        while (m_next < blocksEnd && m_blocks.next()) {
            const auto block = curveBlockOf(
                m_blocks.blob(2),
                {segment.branch, m_blocks.integer(0), m_blocks.integer(1), segment.towers});
            if (block && block->endStep() > m_next) {
                readRows(segment, block->firstStep);
                readBlock(segment, *block, blocksEnd);
            }
        }
        readRows(segment, segment.end);
    }

private:
    void readRows(const LineageSegment& segment, std::int64_t end)
    {
        if (m_next < end) {
            m_rows.read(segment.within(m_next, end), m_take);
            m_next = end;
        }
    }

    void readBlock(const LineageSegment& segment, const CurveBlock& block, std::int64_t blocksEnd)
    {
        const std::int64_t end = std::min(block.endStep(), blocksEnd);
        for (; m_next < end; ++m_next) {
            block.fill(m_record, static_cast<std::size_t>(m_next - block.firstStep), segment);
            m_take(m_record);
        }
    }

    const std::function<void(const StepRecord&)>& m_take;
    StepRowReader m_rows;
    SqliteStatement m_blocks;
    std::int64_t m_next = 0;
    StepRecord m_record;
};

} // namespace

void readCurveSteps(
    const SqliteDatabase& database, StepRange range,
    const std::function<void(const StepRecord&)>& take)
{
    const std::int64_t blocksEnd = std::min(range.end, nextStepOf(database)) - kFullSteps;
    CurveReader reader(database, take);
    for (const LineageSegment& segment : lineageOf(database)) {
        const LineageSegment part = segment.within(range.first, range.end);
        if (part.first < part.end) {
            reader.read(part, std::min(part.end, blocksEnd));
        }
    }
}

} // namespace lockstep
