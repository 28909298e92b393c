// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/layouts/split_rules.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// Whether a name says that records are in it: ".tfrecord", ".tfrec" and the like, or no ending;
/// behind it may stand -00000-of-00004, .gz or .zlib.
[[nodiscard]] bool isCalledRecords(const std::filesystem::path& name);

/// A word in a file's name that says its split.
struct SplitWord
{
    DataPart part;
    std::string word;
    std::size_t place; ///< in the name
    bool standsAlone;  ///< no letters before or behind it
};

/// Reads names of record files by a pattern, see findRecordShards(), which has to outlive it.
class RecordNames
{
public:
    explicit RecordNames(const std::string& pattern);

    [[nodiscard]] bool areUsual() const { return m_areUsual; }
    [[nodiscard]] bool haveSplit() const { return m_haveSplit; }
    /// Whether files in a folder can be meant.
    [[nodiscard]] bool reachInto(const std::string& folder) const;
    /// Of a pattern without {split}.
    [[nodiscard]] bool fit(const std::string& name) const { return fit(name, {}); }
    /// Empty for a name that does not fit. Throws Error(BadInput) that begins with `fullName` where
    /// the name says two splits.
    [[nodiscard]] std::optional<SplitWord> splitOf(
        const std::string& name, const std::string& fullName) const;

private:
    [[nodiscard]] bool fit(const std::string& name, const std::string& word) const;
    [[nodiscard]] std::vector<SplitWord> wordsIn(const std::string& name) const;

    const std::string& m_pattern;
    bool m_areUsual;
    bool m_haveSplit;
};

} // namespace lockstep
