// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep {

/// What the mean loss of a stretch of consecutive steps was, without weight decay: see
/// crossEntropy().
struct LossPreviewNode
{
    std::int64_t firstStep = 0;
    std::int64_t endStep = 0; ///< the one after the last
    double epoch = 0.0;       ///< at its end
    double wallSeconds = 0.0; ///< at its end
    // Of the values that are finite; not a number where there is none.
    float minimum = 0.0F;
    float maximum = 0.0F;
    float mean = 0.0F;
    std::int64_t notFinite = 0; ///< values left out
    std::int64_t examples = 0;  ///< seen at its end
};

/// The mean loss over the lineage of a run in a few nodes, for small pictures of it and for
/// curves of other runs behind the one that is shown. No spike is lost: every step is in a node.
using LossPreview = std::vector<LossPreviewNode>;

/// Steps that a run has left behind: it went on from one before them.
struct AbandonedStretch
{
    std::int64_t branch = 0; ///< of which they are the end
    std::int64_t firstStep = 0;
    std::int64_t endStep = 0; ///< the one after the last
    LossPreview lossPreview;
};

} // namespace lockstep
