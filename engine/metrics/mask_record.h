// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// One image of a tower's batch with its masks.
struct ImageMasks
{
    std::int64_t example = 0;         ///< number in its data set
    std::string name;                 ///< as the data set names it
    std::int32_t label = 0;           ///< class that it was trained on; 0: without a defect
    std::vector<float> input;         ///< as the tower saw it: MaskRecord::input, row by row
    std::vector<float> mask;          ///< trained on, 0 to 1: MaskRecord::mask, row by row
    std::vector<float> probabilities; ///< predicted, 0 to 1, in the same places
    /// What the network's decision says: the probability of a defect. Empty if it makes none.
    std::optional<double> score;
};

/// What an objective added to a tower's loss, its weight left out.
struct NamedLoss
{
    std::string objective;
    double loss = 0.0; ///< mean over the tower's examples
};

struct TowerMasks
{
    double loss = 0.0;                 ///< as TowerRecord::loss
    std::vector<NamedLoss> objectives; ///< in the network's order
    std::vector<ImageMasks> images;    ///< the first ones of its batch
};

/// The masks that the towers predicted in a step, by the weights before its update. A plain value.
struct MaskRecord
{
    std::int64_t step = 0;
    Shape input; ///< of one image
    Shape mask;
    double white = 1.0; ///< what a white pixel of an input is; black is 0
    std::vector<TowerMasks> towers;
};

} // namespace lockstep
