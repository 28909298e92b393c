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

/// Two examples whose images are, byte by byte, the same.
struct SameImage
{
    std::int64_t example = 0;
    std::int64_t training = 0; ///< the one of the training set

    bool operator==(const SameImage&) const = default;
};

/// Images that are there twice, byte by byte.
struct Duplicates
{
    std::int64_t compared = 0;   ///< test examples that were looked for
    std::int64_t found = 0;      ///< of these, in the training set
    SameImage first = {};        ///< of them, and the first of several that it equals
    std::int64_t otherLabel = 0; ///< of them, where one of the training set has another label
    SameImage firstOther = {};
    std::int64_t trained = 0;   ///< training examples that were looked for in the training set
    std::int64_t repeated = 0;  ///< of these, what one before them equals
    std::int64_t ambiguous = 0; ///< of these, whose image has another label, too
    SameImage firstAmbiguous = {};

    bool operator==(const Duplicates&) const = default;
};

/// Looks for them, by a hash of 128 bits: of files as they lie on disk, of other images of their
/// pixels. Only what has the size of another one is read, on all processors (at most eight). Where
/// that is more than 4 GiB only some evenly spread test examples are looked for, and of the
/// training set those of some sizes. `progress` is told the share that is done; Error(Cancelled) if
/// it says no. Throws what reading throws.
Duplicates findDuplicates(
    const Dataset& training, const Dataset& test, const LoadProgress& progress);

/// What a person calls an example's image: its file, or its name in the data set.
[[nodiscard]] std::string imageName(const Dataset& dataset, std::int64_t index);

} // namespace lockstep
