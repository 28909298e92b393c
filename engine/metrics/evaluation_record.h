// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/objective_losses.h"
#include "metrics/scores/classified_image.h"
#include "metrics/scores/detection_scores.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep {

/// Which weights of a network are meant: those that training updates, or their moving averages.
enum class WeightsKind { Raw, Average };

/// "raw" or "average": as it stands in commands, files and the run store.
constexpr std::string_view toString(WeightsKind kind)
{
    return kind == WeightsKind::Raw ? "raw" : "average";
}

/// Result of one pass over all examples of a test set, each counted once. A plain value.
struct EvaluationRecord
{
    std::int64_t step = 0; ///< updates that the weights had seen
    WeightsKind weights = WeightsKind::Average;
    std::int64_t examples = 0;
    std::int64_t correct = 0; ///< examples classified correctly (top 1)
    double accuracy = 0.0;    ///< correct / examples; the classic scripts call it precision @ 1
    double loss = 0.0;        ///< mean over the examples; of several objectives, each by its weight
    double seconds = 0.0;     ///< duration of the pass
    ObjectiveLosses objectives = {};
    /// Of networks that detect; empty where no example is positive.
    std::optional<DetectionScores> detection = std::nullopt;
    /// Of networks that detect: every image, in the order of the data set. What a reader gives
    /// apart.
    std::vector<ImageScore> images = {};
    /// Of networks that tell more than five classes apart: examples whose label is among the five
    /// most probable (ClassifiedImage::isInTop).
    std::optional<std::int64_t> inTopFive = std::nullopt;
    /// Of networks that classify: every image, in the order of the data set. What a reader gives
    /// apart.
    std::vector<ClassifiedImage> classified = {};

    /// inTopFive / examples; not a number where there is none. inception_eval.py calls it
    /// recall @ 5.
    [[nodiscard]] double topFive() const
    {
        return inTopFive ? static_cast<double>(*inTopFive) / static_cast<double>(examples)
                         : std::numeric_limits<double>::quiet_NaN();
    }
};

/// Not a number where there is none.
inline double averagePrecisionOf(const EvaluationRecord& record)
{
    return record.detection ? record.detection->averagePrecision
                            : std::numeric_limits<double>::quiet_NaN();
}

} // namespace lockstep
