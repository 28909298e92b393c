// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lockstep {

/// The names of a training split, filled up from those of its test split: of labels beyond them,
/// and of labels without an example there, which go by their number.
[[nodiscard]] std::vector<std::string> filledClassNames(
    std::vector<std::string> names, const std::vector<std::string>& others);

/// Up to eight of the names, and how many there are more.
[[nodiscard]] std::string someOf(std::vector<std::string> names);

/// Key of the note of a checkpoint that says how the data were understood: DatasetInfo::layout.
inline constexpr const char* kDataLayoutNote = "data_layout";

/// A sentence on the first two names that people can't tell apart, see seenOf(); of numbers zeros
/// before them do not count. Empty where there are none.
[[nodiscard]] std::string lookAlikes(const std::vector<std::string>& names);

/// Labels are compared by number, so both splits have to mean the same by one. Throws Error(Data)
/// where a name of the test split is that of another label in the training split; returns a
/// sentence where names are others there, or labels that the training set lacks, else nothing.
/// Labels that go by their number fit any.
[[nodiscard]] std::string checkClassNames(
    const std::vector<std::string>& training, const std::vector<std::string>& test);

/// As a note of a checkpoint, "data_class_names", a line each, so that an image can be tried
/// without the data. None where they take more than 4 MiB or a name has lines of its own.
[[nodiscard]] std::map<std::string, std::string> notesOfClassNames(
    const std::vector<std::string>& names);
/// From notes; empty where they are not noted.
[[nodiscard]] std::vector<std::string> classNamesFrom(
    const std::map<std::string, std::string>& notes);

} // namespace lockstep
