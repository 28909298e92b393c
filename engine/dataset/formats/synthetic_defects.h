// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <cstdint>
#include <memory>

namespace lockstep {

/// Size of a picture of the generated data set with masks.
inline constexpr std::int64_t kDefectHeight = 256;
inline constexpr std::int64_t kDefectWidth = 128;

/// How many examples openSyntheticDefects makes when not told: 200 for train and 100 for test.
[[nodiscard]] constexpr std::int64_t defaultDefectExamples(Split split) noexcept
{
    return split == Split::Train ? 200 : 100;
}

struct DefectSettings
{
    std::uint64_t seed = 1;
    std::int64_t examples = defaultDefectExamples(Split::Train);
    int dilation = 5; ///< of the marks, see kDilations
};

/// Generates a split of a data set for segmentation into memory (33 KB a clean example, 66 KB a
/// defective one): grey surfaces with streaks, waves, noise and bright scratches; every second one,
/// from number 1 on, has a thin dark crack, whose pixels are marked. Labels are 0 "clean" and 1
/// "defective". An example is a function of (seed, split, index); the splits share no random
/// stream. Throws Error(BadInput) for less than two examples or more than 100,000, and another
/// dilation.
std::unique_ptr<Dataset> openSyntheticDefects(Split split, const DefectSettings& settings);

} // namespace lockstep
