// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/data_account.h"
#include "dataset/examples/dataset.h"
#include "dataset/formats/encoded_data_settings.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep {

/// The files of records of one split.
struct RecordShards
{
    std::vector<std::filesystem::path> files; ///< in the order of their names
    std::string layout;                       ///< as DatasetInfo
    DataAccount account;
};

/// Finds them in `folder` by their names, as `settings.pattern` says (fnmatch(3)). `{split}` in it
/// stands for any word of dataPartOf(), where it can for one that stands alone; a pattern with a
/// slash reaches into folders, one without `{split}` makes both splits the same. kUsualRecords are
/// the names in which one such word stands alone, be it that of a folder in `folder`. Of validation
/// and test files those are tested on that `settings.rules` say.
///
/// Told in the account: files that are none of records (by their first bytes, where the name does
/// not say that they are), that have no bytes or name no split, numbers that are missing of
/// -of-00004, and names of several kinds.
///
/// Throws Error(BadInput) that says what to do for a folder that is not there or has no such files,
/// compressed ones, the files of two conversions (-of-00002 beside -of-00001) or, by their usual
/// names, of two data sets, and names that say two splits, or one in two words (val, validation).
RecordShards findRecordShards(
    const std::filesystem::path& folder, Split split, const EncodedDataSettings& settings);

} // namespace lockstep
