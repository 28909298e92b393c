// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/record_names.h"

#include "base/error.h"
#include "dataset/files/file_bytes.h"
#include "dataset/formats/encoded_data_settings.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <string_view>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Without the ending of a compression, or the number of a shard that stands behind the ending.
fs::path bareName(const fs::path& name)
{
    static const std::regex tail("([-_][0-9]+[-_]of[-_][0-9]+)?([.](gz|gzip|zlib))?$");
    return std::regex_replace(lowerCase(name.filename().string()), tail, "");
}

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

} // namespace

bool isCalledRecords(const fs::path& name)
{
    constexpr std::array<std::string_view, 7> kEndings{"",     ".tfrecord", ".tfrecords", ".tfrec",
                                                       ".tfr", ".record",   ".records"};
    return std::ranges::find(kEndings, bareName(name).extension().string()) != kEndings.end();
}

RecordNames::RecordNames(const std::string& pattern)
    : m_pattern(pattern), m_areUsual(pattern == kUsualRecords),
      m_haveSplit(m_areUsual || pattern.find(kSplitMark) != std::string::npos)
{
}

bool RecordNames::reachInto(const std::string& folder) const
{
    return m_areUsual ? splitOf(folder, folder).has_value()
                      : m_pattern.find('/') != std::string::npos;
}

std::optional<SplitWord> RecordNames::splitOf(
    const std::string& name, const std::string& fullName) const
{
    std::vector<SplitWord> words = wordsIn(name);
    if (std::ranges::any_of(words, &SplitWord::standsAlone)) {
        std::erase_if(words, [](const SplitWord& each) { return !each.standsAlone; });
    }
    std::optional<SplitWord> best;
    for (const SplitWord& found : words) {
        if (best && best->part != found.part) {
            fail(
                ErrorCode::BadInput,
                "{}: its name says {} and {}; say where the split stands in the names "
                "(dataset.pattern, such as '{}-*')",
                fullName, best->word, found.word, kSplitMark);
        }
        if (!best || found.word.size() > best->word.size()) {
            best = found;
        }
    }
    return best;
}

bool RecordNames::fit(const std::string& name, const std::string& word) const
{
    std::string pattern = m_pattern;
    const std::string_view mark = kSplitMark;
    for (std::size_t place = pattern.find(mark); place != std::string::npos;
         place = pattern.find(mark)) {
        pattern.replace(place, mark.size(), word);
    }
    return fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD | FNM_PATHNAME) == 0;
}

std::vector<SplitWord> RecordNames::wordsIn(const std::string& name) const
{
    std::vector<SplitWord> words;
    for (std::size_t begin = 0; begin < name.size(); ++begin) {
        for (std::size_t end = begin; end < name.size() && isLetter(name[end]); ++end) {
            const bool standsAlone = (begin == 0 || !isLetter(name[begin - 1]))
                                     && (end + 1 == name.size() || !isLetter(name[end + 1]));
            const std::string word = name.substr(begin, end + 1 - begin);
            const auto part = m_areUsual && !standsAlone ? std::nullopt : dataPartOf(word);
            if (part && (m_areUsual || fit(name, word))) {
                words.push_back({*part, word, begin, standsAlone});
            }
        }
    }
    return words;
}

} // namespace lockstep
