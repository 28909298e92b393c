// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/value_histogram.h"

#include <algorithm>
#include <cmath>

namespace lockstep::ui {

double ValueHistogram::deviation() const
{
    return count > 0.0 ? std::sqrt(std::max(0.0, sumOfSquares / count - mean() * mean())) : 0.0;
}

BucketSpan bucketSpan(const ValueHistogram& histogram, std::size_t bucket)
{
    const double low = bucket == 0 ? histogram.minimum : histogram.limits[bucket - 1];
    return {
        std::max(low, histogram.minimum), std::min(histogram.limits[bucket], histogram.maximum)};
}

std::optional<std::size_t> bucketOf(const ValueHistogram& histogram, double value)
{
    if (histogram.count == 0.0 || !(value >= histogram.minimum && value <= histogram.maximum)) {
        return std::nullopt;
    }
    const auto above = std::upper_bound(histogram.limits.begin(), histogram.limits.end(), value);
    const auto bucket = static_cast<std::size_t>(above - histogram.limits.begin());
    return bucket < histogram.counts.size() ? std::optional(bucket) : std::nullopt;
}

double quantile(const ValueHistogram& histogram, double share)
{
    double below = 0.0;
    const double wanted = share * histogram.count;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const double count = histogram.counts[i];
        if (count > 0.0 && below + count >= wanted) {
            const BucketSpan span = bucketSpan(histogram, i);
            return span.low + (span.high - span.low) * (wanted - below) / count;
        }
        below += count;
    }
    return histogram.maximum;
}

std::vector<double> countsInRows(
    const ValueHistogram& histogram, BucketSpan range, std::size_t rows)
{
    std::vector<double> sums(rows);
    const double height = (range.high - range.low) / static_cast<double>(rows);
    const auto rowAt = [rows](double place) {
        return static_cast<std::size_t>(std::max(0.0, std::min(static_cast<double>(rows), place)));
    };
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        if (histogram.counts[i] == 0.0) {
            continue;
        }
        const BucketSpan span = bucketSpan(histogram, i);
        const double first = (span.low - range.low) / height;
        const double last = (span.high - range.low) / height;
        if (std::floor(first) == std::floor(last)) { // of one value, too
            if (first >= 0.0 && first < static_cast<double>(rows)) {
                sums[static_cast<std::size_t>(first)] += histogram.counts[i];
            }
            continue;
        }
        const std::size_t end = rowAt(std::ceil(last));
        for (std::size_t row = rowAt(first); row < end; ++row) {
            const auto low = static_cast<double>(row);
            const double covered = std::min(last, low + 1.0) - std::max(first, low);
            sums[row] += histogram.counts[i] * covered / (last - first);
        }
    }
    return sums;
}

} // namespace lockstep::ui
