// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/record_shards.h"

#include "base/error.h"
#include "dataset/files/file_bytes.h"
#include "dataset/files/folder_walk.h"
#include "dataset/files/record_file.h"
#include "dataset/formats/record_names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// "train-00002-of-00004.tfrecord": before, number, how many, behind.
const std::regex& numberedShard()
{
    static const std::regex expression("(.*[^0-9]|)([0-9]{1,9})[-_]of[-_]([0-9]{1,9})(.*)");
    return expression;
}

/// Digits, which tell the files of a set apart, as one sign.
std::string kindOfName(const std::string& name)
{
    static const std::regex digits("[0-9]+");
    return std::regex_replace(name, digits, "#");
}

std::string endingOf(const fs::path& name)
{
    const std::string ending = lowerCase(name.extension().string());
    return ending.empty() ? "without an ending" : ending;
}

/// A file whose name fits.
struct Candidate
{
    std::string name; ///< relative to the folder
    std::optional<SplitWord> split;
    RecordFileStart start;
};

class ShardFinder
{
public:
    ShardFinder(const fs::path& folder, Split split, const EncodedDataSettings& settings)
        : m_folder(folder), m_split(split), m_settings(settings), m_names(settings.pattern)
    {
    }

    RecordShards find()
    {
        std::error_code error;
        if (!fs::is_directory(m_folder, error)) {
            fail(
                ErrorCode::BadInput,
                "{}: this folder does not exist; give the one with the record files (dataset.path)",
                m_folder.string());
        }
        list({});
        if (m_names.haveSplit()) {
            keepSplit();
        } else {
            m_found.layout = fmt::format(
                "all files of records that '{}' names are trained on and tested on",
                m_settings.pattern);
        }
        std::ranges::sort(m_candidates, {}, &Candidate::name);
        checkCompression();
        checkWords();
        checkNumbers();
        leaveOutEmpty();
        if (m_candidates.empty()) {
            refuseNone();
        }
        tellKinds();
        for (const Candidate& each : m_candidates) {
            m_found.files.push_back(m_folder / each.name);
        }
        return std::move(m_found);
    }

private:
    void list(const fs::path& below)
    {
        const fs::path place = m_folder / below;
        for (const std::string& entry : namesIn(place, [](const auto&) { return true; })) {
            const std::string name = (below / entry).generic_string();
            std::error_code ignored;
            const fs::file_status status = fs::status(place / entry, ignored);
            if (entry.starts_with('.')) {
                leaveOut("hidden", name);
            } else if (fs::is_directory(status)) {
                if (below.empty() && m_names.reachInto(entry)) {
                    list(entry);
                } else {
                    leaveOutRecords(name);
                }
            } else if (!fs::is_regular_file(status)) {
                leaveOut("that can't be read", name);
            } else {
                take(name);
            }
        }
    }

    void take(const std::string& name)
    {
        const fs::path file = m_folder / name;
        RecordFileStart start = startOfRecordFile(file);
        if (!start.isRecord && !start.isEmpty && !isCalledRecords(name)) {
            leaveOut(endingOf(name), name);
            return;
        }
        auto split = m_names.haveSplit() ? m_names.splitOf(name, file.string()) : std::nullopt;
        if (split || (!m_names.haveSplit() && m_names.fit(name))) {
            m_candidates.push_back({name, std::move(split), std::move(start)});
        } else {
            leaveOut(
                start.isRecord ? "of records that dataset.pattern does not name" : endingOf(name),
                name);
        }
    }

    /// Files of records in a folder that no rule reaches into.
    void leaveOutRecords(const std::string& folder)
    {
        for (const std::string& name : walkFolder(m_folder / folder).files) {
            if (startOfRecordFile(m_folder / folder / name).isRecord) {
                leaveOut("of records in other folders", folder + "/" + name);
            }
        }
    }

    /// What is no file of records is told once, of the training.
    void leaveOut(const std::string& kind, const std::string& name)
    {
        if (m_split == Split::Train) {
            m_found.account.leaveOut(kind, name);
        }
    }

    void keepSplit()
    {
        std::map<DataPart, std::string> words;
        std::set<DataPart> there;
        for (const Candidate& each : m_candidates) {
            words.emplace(each.split->part, each.split->word);
            there.insert(each.split->part);
        }
        const auto tested = m_settings.rules.testedOf(there);
        if (tested) {
            const DataPart other =
                *tested == DataPart::Test ? DataPart::Validation : DataPart::Test;
            m_found.layout = fmt::format("files of records; {} is tested on", words.at(*tested));
            m_found.layout +=
                words.contains(other) ? fmt::format(", {} is held back", words.at(other)) : "";
        }
        std::erase_if(m_candidates, [&](const Candidate& each) {
            return each.split->part != DataPart::Train && each.split->part != tested;
        });
        checkPrefixes();
        std::erase_if(m_candidates, [&](const Candidate& each) {
            return (each.split->part == DataPart::Train) != (m_split == Split::Train);
        });
    }

    void checkCompression() const
    {
        for (const Candidate& each : m_candidates) {
            if (!each.start.compression.empty()) {
                fail(
                    ErrorCode::BadInput,
                    "{}: is compressed ({}); unpack it ({}), or write the records without "
                    "compression",
                    (m_folder / each.name).string(), each.start.compression, each.start.unpack);
            }
        }
    }

    void leaveOutEmpty()
    {
        std::erase_if(m_candidates, [&](const Candidate& each) {
            if (each.start.isEmpty) {
                m_found.account.leaveOut("without a byte", each.name);
            }
            return each.start.isEmpty;
        });
    }

    [[noreturn]] void refuseNone() const
    {
        const std::vector<std::string> lines = m_found.account.lines();
        const std::string others = lines.empty() ? "" : fmt::format(" ({})", lines.front());
        const char* const words = m_split == Split::Train ? "train" : "validation, val or test";
        if (m_names.areUsual()) {
            fail(
                ErrorCode::BadInput,
                "{}: no record file's name says {}{}; give the folder (dataset.path) and the names "
                "of its record files (dataset.pattern, such as '{}-*')",
                m_folder.string(), words, others, kSplitMark);
        }
        fail(
            ErrorCode::BadInput,
            "{}: no record file's name fits '{}' with {}{}; give the folder (dataset.path) and the "
            "names of its record files (dataset.pattern, such as '{}-*')",
            m_folder.string(), m_settings.pattern, words, others, kSplitMark);
    }

    void checkWords() const
    {
        std::map<std::string, std::string> words;
        for (const Candidate& each : m_candidates) {
            if (each.split) {
                words.emplace(lowerCase(each.split->word), each.name);
            }
        }
        if (words.size() > 1) {
            fail(
                ErrorCode::BadInput,
                "{}: both {} and {} are there; move those that are not meant into another folder, "
                "or "
                "name the others alone (dataset.pattern)",
                m_folder.string(), words.begin()->second, words.rbegin()->second);
        }
    }

    /// Two data sets in one folder; a person who names both wants them.
    void checkPrefixes() const
    {
        std::map<std::string, std::string> prefixes;
        for (const Candidate& each : m_candidates) {
            if (m_names.areUsual()) {
                const std::string prefix = each.name.substr(0, each.split->place);
                prefixes.emplace(kindOfName(prefix), prefix);
            }
        }
        if (prefixes.size() > 1) {
            fail(
                ErrorCode::BadInput,
                "{}: the names of its files begin with '{}' and with '{}'; say which are meant "
                "(dataset.pattern, such as '{}{}*')",
                m_folder.string(), prefixes.begin()->second, prefixes.rbegin()->second,
                prefixes.rbegin()->second, kSplitMark);
        }
    }

    void checkNumbers()
    {
        using Numbers = std::set<long>;
        std::map<std::pair<std::string, std::string>, std::map<std::string, Numbers>> sets;
        for (const Candidate& each : m_candidates) {
            if (std::smatch parts; std::regex_match(each.name, parts, numberedShard())) {
                sets[{parts[1], parts[4]}][parts[3]].insert(std::stol(parts[2]));
            }
        }
        for (const auto& [ends, conversions] : sets) {
            const auto nameOf = [&, &ends = ends](const std::string& count) {
                return fmt::format("{}*-of-{}{}", ends.first, count, ends.second);
            };
            const auto& [count, numbers] = *conversions.begin();
            if (conversions.size() > 1) {
                const std::string other = conversions.rbegin()->first;
                fail(
                    ErrorCode::BadInput,
                    "{}: the files of two conversions lie side by side, {} and {}, which would "
                    "train "
                    "twice on each example; move one of them into another folder, or name the "
                    "other's files alone (dataset.pattern)",
                    m_folder.string(), nameOf(count), nameOf(other));
            }
            tellMissing(nameOf(count), std::stol(count), numbers);
        }
    }

    void tellMissing(const std::string& name, long count, const std::set<long>& numbers)
    {
        // Some count from 1.
        const long first = numbers.contains(count) && !numbers.contains(0) ? 1 : 0;
        constexpr std::size_t kMostNamed = 8;
        std::vector<long> named;
        long missing = 0;
        for (long number = first; number < first + count; ++number) {
            if (!numbers.contains(number) && ++missing <= std::ssize(named) + 1
                && named.size() < kMostNamed) {
                named.push_back(number);
            }
        }
        if (missing > 0) {
            m_found.account.warn(fmt::format(
                "{} of the {} files {} are missing: number {}{}", missing, count, name,
                fmt::join(named, ", "), missing > std::ssize(named) ? ", …" : ""));
        }
    }

    void tellKinds()
    {
        std::map<std::string, std::string> kinds;
        for (const Candidate& each : m_candidates) {
            kinds.emplace(kindOfName(each.name), each.name);
        }
        if (kinds.size() > 1) {
            m_found.account.warn(fmt::format(
                "the {} files are named in {} ways, such as {} and {}: if these hold the same "
                "images, name one kind alone (dataset.pattern)",
                toString(m_split), kinds.size(), kinds.begin()->second, kinds.rbegin()->second));
        }
    }

    const fs::path& m_folder;
    Split m_split;
    const EncodedDataSettings& m_settings;
    RecordNames m_names;
    std::vector<Candidate> m_candidates;
    RecordShards m_found;
};

} // namespace

RecordShards findRecordShards(
    const fs::path& folder, Split split, const EncodedDataSettings& settings)
{
    return ShardFinder(folder, split, settings).find();
}

} // namespace lockstep
