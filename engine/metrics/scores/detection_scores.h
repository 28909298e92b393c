// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/scores/average_precision.h"
#include "metrics/scores/image_score.h"

#include <cstdint>
#include <span>

namespace lockstep {

/// How well the scores of images tell the positive ones from the others. A plain value.
struct DetectionScores
{
    double averagePrecision = 0.0; ///< see kAveragePrecisionDefinition
    PrecisionRecallPoint best;     ///< at the best F1
    PrecisionRecallPoint fullRecall;
    /// Of the positives that are found at the best F1, those whose predicted mask peaks inside the
    /// label.
    std::int64_t peaksInside = 0;
};

/// Label and score of each.
std::vector<ScoredExample> scoredExamples(std::span<const ImageScore> images);

/// Errors of precisionRecallCurve(). Thread-safe.
DetectionScores detectionScores(std::span<const ImageScore> images);

} // namespace lockstep
