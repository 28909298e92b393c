// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace lockstep {

/// What a network that detects says of one image of a test set. A plain value.
struct ImageScore
{
    std::int64_t example = 0; ///< number in its split
    std::string name;         ///< of its file
    bool isPositive = false;  ///< its label
    double score = 0.0;       ///< probability that it is positive
    double loss = 0.0;        ///< of all objectives, each by its weight in the model
    // Where the predicted mask is surest, and whether the label says so, too.
    double peak = 0.0; ///< probability there
    std::int64_t peakRow = 0;
    std::int64_t peakColumn = 0;
    bool isPeakInside = false; ///< the label (dilated) of that cell of the mask is not zero
};

} // namespace lockstep
