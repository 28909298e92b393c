// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/layouts/split_rules.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep {

/// Photographs of one split, and what each shows.
struct LabelledFiles
{
    struct File
    {
        std::string name; ///< relative to the folder
        std::int32_t label = 0;
        bool isTested = false; ///< while both splits are in one list
    };

    std::filesystem::path folder;
    std::vector<std::string> classNames; ///< sorted
    std::vector<File> files;             ///< class by class, by name
    std::string layout;                  ///< as DatasetInfo
};

/// Whether a file is taken for a photograph: it ends in .jpg, .jpeg or .png.
[[nodiscard]] bool isPhotograph(const std::filesystem::path& name);

/// Finds the photographs of a split at a place of one of these kinds:
///
/// - folders `train` and `val` or `test`, as dataPartOf() spells them, with a folder for each class
///   in each; of val and test the one is taken that `rules` say;
/// - a folder for each class, alone or in `train`: of each class a share is tested on;
/// - a table of path and label, a .csv file or the only one in a folder without two classes, see
///   readLabelledTable().
///
/// Hidden files and folders are left out, and so are folders without photographs beside train and
/// val. Throws Error(BadInput) that says what to do for a place that is none of these, for classes
/// that only one of train and val has, and, where a share is tested on, for classes of fewer than
/// two images, naming them; Error(Io) where the system refuses to read.
LabelledFiles findLabelledFiles(
    const std::filesystem::path& place, Split split, const SplitRules& rules);

/// Reads the photographs of a split from a table: a line "PATH,LABEL" for each, or
/// "PATH,LABEL,PART" with train, val or test in all of them; without parts a share of each class is
/// tested on. Paths are relative to the table's folder. Commas may be semicolons or tabs, as the
/// first line has them; fields may stand in double quotes; a first line whose path has no
/// ending is a heading; empty lines are left out. Labels that are all whole numbers are sorted
/// by their value. Throws Error(BadInput) that names table and line for a line of other fields, an
/// image that is not there or twice, an unknown part and a part on some lines alone;
/// Error(BadInput) for a table without images of a split, for a tested class without training
/// image, and as findLabelledFiles().
LabelledFiles readLabelledTable(
    const std::filesystem::path& table, Split split, const SplitRules& rules);

/// Leaves the files of a split, after a share of each class was drawn for the test. Throws
/// Error(BadInput) that begins with `where` for classes of fewer than two images and for a single
/// class.
void drawSplit(LabelledFiles& both, Split split, const SplitRules& rules, const std::string& where);
/// Leaves the files of a split.
void keepSplit(LabelledFiles& both, Split split);

/// A few of the names, and how many there are.
[[nodiscard]] std::string someOf(std::vector<std::string> names);

} // namespace lockstep
