// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <cstdint>
#include <memory>
#include <span>

namespace lockstep {

/// Bytes of one picture: three planes (red, green, blue) of 32 x 32, row by row, as in CIFAR-10.
inline constexpr std::int64_t kSyntheticPictureBytes = std::int64_t{32} * 32 * 3;

/// How many examples openSynthetic makes when not told: 10,000 for train and 2,000 for test.
[[nodiscard]] constexpr std::int64_t defaultSyntheticExamples(Split split) noexcept
{
    return split == Split::Train ? 10'000 : 2'000;
}

/// Draws example `index` of the generated data set into `pixels` (kSyntheticPictureBytes) and
/// returns its label, 0 to 9: one shape of kind `index % 10` (see ShapeKind) of any colour, size,
/// place and rotation over a patterned ground with spots and lines, sometimes of little contrast,
/// crossed by a line or noisy. A pure function of (seed, split, index): an example has a random
/// stream of its own, so it is the same whoever draws it and whatever was drawn before. Needs 0 <=
/// index < 2^32. Thread-safe.
std::int32_t drawSyntheticExample(
    std::uint64_t seed, Split split, std::int64_t index, std::span<std::uint8_t> pixels);

/// Generates a split of the synthetic data set into memory (31 MB for 10,000 examples, in less than
/// a second). The ten labels are equally frequent, to within one. The splits never share a random
/// stream. `scale`: a pixel becomes a square of so many a side, for pictures of 32 x scale. Throws
/// Error(BadInput) for a number of examples below 1 or above one million, or no scale.
std::unique_ptr<Dataset> openSynthetic(
    Split split, std::uint64_t seed, std::int64_t examples, int scale = 1);
std::unique_ptr<Dataset> openSynthetic(Split split, std::uint64_t seed);

} // namespace lockstep
