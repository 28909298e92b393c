// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace lockstep {

/// How a data set with masks is split and its masks are prepared.
struct MaskedDataSettings
{
    int folds = 3;                   ///< parts, by item, that are tested on in turn
    int fold = 0;                    ///< the one to test on; kNoFold: none is held back
    std::filesystem::path foldsFile; ///< see readItemFolds; empty: items are dealt
    int dilation = 5;                ///< of the marks, see kDilations
    std::uint64_t seed = 1;          ///< of the dealing, and of generated data

    /// Every image is trained on and tested on; what a test then says is of no use for other
    /// images.
    static constexpr int kNoFold = -1;

    bool operator==(const MaskedDataSettings&) const = default;
    /// Throws Error(BadInput) that names the key.
    void validate() const;
};

} // namespace lockstep
