// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "dataset/examples/load_progress.h"

#include <array>
#include <cstdint>

namespace lockstep {

/// What becomes of a run whose test images are training images, too; names as in a configuration.
inline constexpr std::array<const char*, 3> kDuplicateRuleNames{"warn", "refuse", "ignore"};
inline constexpr const char* kRefuseDuplicates = kDuplicateRuleNames[1];
inline constexpr const char* kIgnoreDuplicates = kDuplicateRuleNames[2];

/// Test examples whose image is, byte by byte, one of the training set.
struct Duplicates
{
    std::int64_t compared = 0; ///< test examples that were looked for
    std::int64_t found = 0;    ///< of these
    std::int64_t test = 0;     ///< the first one
    std::int64_t training = 0; ///< what it equals, the first of several

    bool operator==(const Duplicates&) const = default;
};

/// Looks for them, by a hash of 128 bits: of files as they lie on disk, of other images of their
/// pixels. Only what has the size of one in the other split is read, on all processors (at most
/// eight), and where that is more than 4 GiB only some evenly spread test examples are looked for.
/// `progress` is told the share that is done; Error(Cancelled) if it says no. Throws what reading
/// throws.
Duplicates findDuplicates(
    const Dataset& training, const Dataset& test, const LoadProgress& progress);

/// What a person calls an example's image: its file, or its name in the data set.
[[nodiscard]] std::string imageName(const Dataset& dataset, std::int64_t index);

} // namespace lockstep
