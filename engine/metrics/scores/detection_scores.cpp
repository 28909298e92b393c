// SPDX-License-Identifier: Apache-2.0
#include "metrics/scores/detection_scores.h"

#include <algorithm>

namespace lockstep {

std::vector<ScoredExample> scoredExamples(std::span<const ImageScore> images)
{
    std::vector<ScoredExample> examples;
    examples.reserve(images.size());
    for (const ImageScore& image : images) {
        examples.push_back({image.score, image.isPositive});
    }
    return examples;
}

DetectionScores detectionScores(std::span<const ImageScore> images)
{
    const auto curve = precisionRecallCurve(scoredExamples(images));
    DetectionScores scores{averagePrecision(curve), bestF1(curve), fullRecall(curve), 0};
    scores.peaksInside = std::ranges::count_if(images, [&](const ImageScore& image) {
        return image.isPositive && image.score >= scores.best.threshold && image.isPeakInside;
    });
    return scores;
}

} // namespace lockstep
