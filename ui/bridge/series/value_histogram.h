// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockstep::ui {

/// How many of a set of values lie where, as it was recorded at a step; 0 of what there is none of.
struct ValueHistogram : Histogram
{
    std::int64_t step = 0;

    [[nodiscard]] double mean() const { return count > 0.0 ? sum / count : 0.0; }
    /// Standard deviation, n in the denominator.
    [[nodiscard]] double deviation() const;
};

/// Histograms of one thing by ascending step. Shared, because they are never changed.
using HistogramRow = std::vector<std::shared_ptr<const ValueHistogram>>;

/// Where a bucket's values lie: within its limits, and within all that there are.
struct BucketSpan
{
    double low = 0.0;
    double high = 0.0;
};
BucketSpan bucketSpan(const ValueHistogram& histogram, std::size_t bucket);

/// The bucket that holds a value; none beyond the least and the greatest.
std::optional<std::size_t> bucketOf(const ValueHistogram& histogram, double value);

/// The value below which this share (0 to 1) of all lies, if those of a bucket are spread evenly
/// over it; 0 without values.
double quantile(const ValueHistogram& histogram, double share);

/// How many values lie in each of `rows` equal parts of [low, high), from the lowest on, if those
/// of a bucket are spread evenly over it. Values beyond are in none.
std::vector<double> countsInRows(
    const ValueHistogram& histogram, BucketSpan range, std::size_t rows);

} // namespace lockstep::ui
