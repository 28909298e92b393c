// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/evaluation_record.h"
#include "storage/rows/run_phase.h"
#include "storage/sqlite/row_checksum.h"
#include "storage/sqlite/sqlite_database.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

/// Writes the tables `class` and `classification`. One thread at a time, within a transaction of
/// the caller.
///
/// A classification is a blob (storage/rows/curve_bytes.h) of columns over the test set in its
/// order:
///
///     integer   images
///     integers  label, predicted class (-1: none), rank, of each image
///     floats    probability of the predicted class, loss, of each image
///
/// It takes 11 bytes an image of up to 128 classes and 14 of up to 32,768: 110 kB for the 10,000 of
/// CIFAR-10, 0.7 MB for the 50,000 of ImageNet. Of each branch and kind of weights two are kept:
/// the newest one and the first one of the highest accuracy.
class ClassificationRowWriter
{
public:
    explicit ClassificationRowWriter(const SqliteDatabase& database);

    /// In place of those that were there.
    void write(const RunClasses& classes);
    /// In place of what was there of the same step and weights, after the evaluation's own row.
    /// Nothing for a network that does not classify.
    void write(std::int64_t branch, const EvaluationRecord& record);

private:
    RowChecksum m_checksum;
    SqliteStatement m_forgetClasses;
    SqliteStatement m_class;
    SqliteStatement m_images;
    SqliteStatement m_forgetImages;
};

/// See RunStoreReader. Error(Data) if a row is damaged. The caller holds a transaction.
std::vector<std::string> readClassNames(const SqliteDatabase& database);
std::vector<ClassifiedImage> readClassifiedImages(
    const SqliteDatabase& database, std::int64_t step, WeightsKind weights);

} // namespace lockstep
