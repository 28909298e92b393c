// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/layouts/split_rules.h"

#include <array>
#include <string>

namespace lockstep {

/// What becomes of images that can't be read whole.
enum class DamagedImages {
    Refuse, ///< the first one is an error
    Skip,   ///< they are left out, counted and named
};

/// Names as in a configuration: "refuse", "skip".
inline constexpr std::array<const char*, 2> kDamagedImagesNames{"refuse", "skip"};

/// Stands in a pattern for the name of the split, "train" or "validation".
inline constexpr const char* kSplitMark = "{split}";

/// How a data set of encoded images is opened.
struct EncodedDataSettings
{
    DamagedImages damaged = DamagedImages::Refuse;
    std::string pattern = "{split}-*"; ///< of the names of a split's record files
    int labelOffset = 0;               ///< added to the labels of records
    bool hasBackground = false;        ///< class 0 is none of the folders'; records have it or not
    SplitRules rules = {};             ///< of photographs in folders or tables
    PixelRules pixels = {};

    bool operator==(const EncodedDataSettings&) const = default;
};

} // namespace lockstep
