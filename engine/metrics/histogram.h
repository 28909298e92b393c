// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

namespace lockstep {

/// How many of a set of values lie where. Bucket i holds the values in [limit of bucket i - 1,
/// limits[i]); buckets without values are joined. A plain value.
struct Histogram
{
    double minimum = 0.0;
    double maximum = 0.0;
    double count = 0.0; ///< finite values; others are left out
    double sum = 0.0;
    double sumOfSquares = 0.0;
    std::vector<double> limits; ///< right ends, ascending
    std::vector<double> counts; ///< one for each limit
};

/// The histogram of some values in TensorFlow's buckets: limits 0 and +-1e-12 * 1.1^k. One pass.
/// Thread-safe.
Histogram histogramOf(std::span<const float> values);

} // namespace lockstep
