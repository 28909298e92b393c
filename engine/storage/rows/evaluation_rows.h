// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"
#include "storage/sqlite/row_checksum.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstdint>
#include <vector>

namespace lockstep {

/// Turns evaluations into rows of the tables `evaluation` and `image_score`. One thread at a time,
/// within a transaction of the caller.
class EvaluationRowWriter
{
public:
    explicit EvaluationRowWriter(const SqliteDatabase& database);

    /// In place of what was there of the same step and weights.
    void write(std::int64_t branch, const EvaluationRecord& record);

private:
    void writeImage(std::int64_t branch, const EvaluationRecord& record, const ImageScore& image);

    RowChecksum m_checksum;
    SqliteStatement m_evaluation;
    SqliteStatement m_forgetImages;
    SqliteStatement m_image;
};

/// See RunStoreReader. Error(Data) if a row is damaged. The caller holds a transaction.
std::vector<EvaluationRecord> readEvaluations(const SqliteDatabase& database);
std::vector<ImageScore> readImageScores(
    const SqliteDatabase& database, std::int64_t step, WeightsKind weights);

} // namespace lockstep
