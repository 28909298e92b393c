// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace lockstep {

/// What tells a data set from another: not its path, which may change, nor its pixels, which are
/// too many to read.
struct DataIdentity
{
    std::int64_t examples = 0;
    std::int64_t classes = 0;
    std::string classNames; ///< SHA-256 of the names of all classes, in their order
    std::string list;       ///< SHA-256 of name and label of every example, in their order

    bool operator==(const DataIdentity&) const = default;
};

[[nodiscard]] DataIdentity identityOf(const Dataset& dataset);

/// As notes of a checkpoint, "data_examples" and so on.
[[nodiscard]] std::map<std::string, std::string> notesOf(const DataIdentity& identity);
/// Of the test set, "test_examples" and so on: its classes are those of the training set.
[[nodiscard]] std::map<std::string, std::string> notesOfTests(const DataIdentity& identity);
/// Whether the notes are of a training that was tested on these examples; none if they do not tell.
[[nodiscard]] std::optional<bool> wasTestedOn(
    const std::map<std::string, std::string>& notes, const DataIdentity& identity);
/// Whether the notes are of a training on these examples, and on classes of these names in this
/// order; none if they do not tell.
[[nodiscard]] std::optional<bool> wasTrainedOn(
    const std::map<std::string, std::string>& notes, const DataIdentity& identity);
[[nodiscard]] std::optional<bool> hadTheClassesOf(
    const std::map<std::string, std::string>& notes, const DataIdentity& identity);
/// From notes; what is not noted is taken from `now`, as if nothing had changed.
[[nodiscard]] DataIdentity identityFrom(
    const std::map<std::string, std::string>& notes, const DataIdentity& now);

} // namespace lockstep
