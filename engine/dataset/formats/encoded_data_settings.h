// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/damaged_images.h"
#include "dataset/layouts/split_rules.h"

#include <string>

namespace lockstep {

/// Stands in a pattern for the name of the split, "train", "validation", "val" …; see dataPartOf().
inline constexpr const char* kSplitMark = "{split}";
/// As a pattern: the names that people give to record files, see findRecordShards().
inline constexpr const char* kUsualRecords = "auto";

/// How a data set of encoded images is opened.
struct EncodedDataSettings
{
    DamagedImages damaged = DamagedImages::Skip;
    std::string pattern = kUsualRecords; ///< of the names of a split's record files
    int labelOffset = 0;                 ///< added to the labels of records
    bool hasBackground = false; ///< class 0 is none of the folders'; records have it or not
    SplitRules rules = {};      ///< of photographs in folders or tables
    PixelRules pixels = {};

    bool operator==(const EncodedDataSettings&) const = default;
};

} // namespace lockstep
