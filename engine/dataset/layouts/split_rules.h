// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A part of a data set that its owner has set apart.
enum class DataPart { Train, Validation, Test };

/// By the name of a folder or a word in a table, in any case: train, training, trn; val, valid,
/// validation, eval, evaluation, dev; test, testing, tst, holdout, heldout; trainset and the like.
[[nodiscard]] std::optional<DataPart> dataPartOf(std::string_view word);

/// The words of a name, in lower case: "train", "images", "a" of "Train_imagesA2017".
[[nodiscard]] std::vector<std::string> lettersIn(std::string_view name);
/// That the first such word of a name means: of "seg_train", "val2017".
[[nodiscard]] std::optional<DataPart> dataPartIn(std::string_view name);

/// Names as in a configuration, of the part that is tested on where a data set has both.
inline constexpr std::array<const char*, 2> kTestedPartNames{"validation", "test"};

/// Which examples of a person's own data are tested on.
struct SplitRules
{
    static constexpr double kAllTested = 1.0;

    DataPart tested = DataPart::Validation; ///< of both; the other one is then held back
    /// Of each class, where nothing is set apart. kAllTested: all, and none is to train on.
    double testShare = 0.2;
    std::uint64_t seed = 1; ///< draws them

    bool operator==(const SplitRules&) const = default;

    /// The part that is tested on: the one that is there, of two the one that is wanted; empty for
    /// neither.
    [[nodiscard]] std::optional<DataPart> testedOf(const std::set<DataPart>& there) const;
    /// Which of `count` examples of a class are tested on: the share, rounded, but at least one,
    /// and one is left; a function of seed, class and count. Needs two examples.
    [[nodiscard]] std::vector<bool> drawTested(std::size_t count, std::int32_t label) const;
};

} // namespace lockstep
