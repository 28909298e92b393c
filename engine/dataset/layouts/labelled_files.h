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
    std::vector<std::string> classNames; ///< see sortClassNames
    std::vector<File> files;             ///< class by class, by name
    std::string layout;                  ///< as DatasetInfo
    bool isDrawn = false;                ///< as DatasetInfo
    DataAccount account = {};            ///< of both splits, where they lie together
};

/// Whether a file is taken for a table of paths and labels: .csv or .tsv.
[[nodiscard]] bool isTable(const std::filesystem::path& name);

/// By name; whole numbers, if all of them are, by their value.
void sortClassNames(std::vector<std::string>& names);

/// Finds the photographs of a split at a place, by the first of these rules that fits:
///
/// 1. a table of path and label, see readLabelledTable();
/// 2. folders `train` and `val` or `test`, as dataPartOf() spells them, or names with such a word
/// in
///    all of them (seg_train, seg_test), with a folder for each class in each; of val and test the
///    one is taken that `rules` say, and without either a share of each class is tested on;
/// 3. two or more folders of images: the classes, of which a share is tested on. Not if all are
///    called by words that say no class (train, test_images): then a table beside them is followed;
/// 4. a table beside fewer folders than that: the only one, or the only one of training.
///
/// A folder that holds nothing but one folder of several is gone into first. Images are told as
/// isImageFile() does, those in sub-folders of a class are its images, links are followed. What is
/// left out, and a table beside folders that say the same, is in the account. Throws
/// Error(BadInput) that says what to do for a place that is none of these; where a table beside
/// folders of classes says something else; for classes that only one of train and val has, and,
/// where a share is tested on, for classes of fewer than two images, naming them; Error(Io) where
/// the system refuses to read.
LabelledFiles findLabelledFiles(
    const std::filesystem::path& place, Split split, const SplitRules& rules);

/// Reads the photographs of a split from a table: a line "PATH,LABEL" for each, or
/// "PATH,LABEL,PART" with train, val or test in all of them; without parts a share of each class is
/// tested on. Paths are relative to the table's folder, or to one of the folders in it, and may
/// lack the ending of the image; of several that fit the one is meant whose folder is of the part
/// that the table is named after. Commas may be semicolons or tabs, as the first line has them;
/// fields may stand in double quotes; a first line whose path is no file and has no ending of an
/// image is a heading. Of more columns those are read whose names say path, label and part; of
/// several paths the one whose values are images, of several labels any if they say the same.
/// Columns that are not read are told, and images beside those that are named. Throws
/// Error(BadInput) that names table and line where several columns may be the path or the label, or
/// one that is not read seems to say what is tested on; for a line of other fields,
/// an image that is not there, in two folders, or in the table twice, an unknown part and a part on
/// some lines alone; Error(BadInput) for a table without images of a split, for a tested class
/// without training image, and as findLabelledFiles().
LabelledFiles readLabelledTable(
    const std::filesystem::path& table, Split split, const SplitRules& rules);

/// Leaves the files of a split, after a share of each class was drawn for the test. Throws
/// Error(BadInput) that begins with `where` for classes of fewer than two images and for a single
/// class.
void drawSplit(LabelledFiles& both, Split split, const SplitRules& rules, const std::string& where);
/// Leaves the files of a split.
void keepSplit(LabelledFiles& both, Split split);

} // namespace lockstep
