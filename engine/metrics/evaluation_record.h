// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

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
    double loss = 0.0;        ///< mean cross-entropy over the examples
    double seconds = 0.0;     ///< duration of the pass
};

} // namespace lockstep
