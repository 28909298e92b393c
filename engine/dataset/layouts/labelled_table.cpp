// SPDX-License-Identifier: Apache-2.0
#include "base/csv_fields.h"
#include "base/error.h"
#include "dataset/layouts/labelled_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Of a label that is a whole number.
bool readNumber(const std::string& text, std::int64_t& number)
{
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end;
}

bool isBeforeAsNumber(const std::string& a, const std::string& b)
{
    std::int64_t first = 0;
    std::int64_t second = 0;
    readNumber(a, first);
    readNumber(b, second);
    return std::tie(first, a) < std::tie(second, b);
}

class TableReader
{
public:
    explicit TableReader(const fs::path& table) : m_table(table), m_folder(table.parent_path()) {}

    LabelledFiles read(Split split, const SplitRules& rules)
    {
        readLines();
        LabelledFiles both{m_folder, classNames(), {}, "a table of paths and labels"};
        std::map<std::string, std::int32_t> labels;
        for (const std::string& name : both.classNames) {
            labels.emplace(name, static_cast<std::int32_t>(labels.size()));
        }
        const auto tested = rules.testedOf(m_parts);
        for (const auto& [path, row] : m_rows) {
            if (row.part == DataPart::Train || row.part == tested || !row.part) {
                both.files.push_back({path, labels.at(row.label), row.part == tested});
            }
        }
        std::ranges::stable_sort(both.files, {}, &LabelledFiles::File::label);
        if (m_parts.empty()) {
            drawSplit(both, split, rules, m_table.string());
        } else {
            checkParts(both, tested.has_value());
            both.layout += "; the table says which are tested on";
            keepSplit(both, split);
        }
        return both;
    }

private:
    struct Row
    {
        std::string label;
        std::optional<DataPart> part;
        int line = 0;
    };

    template<class... Args>
    [[noreturn]] void refuse(int line, fmt::format_string<Args...> text, Args&&... args) const
    {
        fail(
            ErrorCode::BadInput, "{}, line {}: {}", m_table.string(), line,
            fmt::format(text, std::forward<Args>(args)...));
    }

    void readLines()
    {
        errno = 0;
        std::ifstream stream(m_table);
        if (!stream) {
            fail(ErrorCode::Io, "{}: can't be read{}", m_table.string(), errnoText());
        }
        std::string line;
        for (int number = 1; std::getline(stream, line); ++number) {
            if (number == 1 && line.starts_with("\xEF\xBB\xBF")) { // as Windows marks UTF-8
                line.erase(0, 3);
            }
            line.erase(line.find_last_not_of("\r ") + 1);
            if (!line.empty()) {
                take(line, number);
            }
        }
        if (m_rows.empty()) {
            fail(
                ErrorCode::BadInput,
                "{}: names no images; a line reads 'images/a.jpg,cat' (dataset.path)",
                m_table.string());
        }
    }

    void take(const std::string& line, int number)
    {
        if (m_separator == '\0') {
            const std::size_t first = line.find_first_of(kCsvSeparators);
            m_separator = first == std::string::npos ? kCsvSeparators.front() : line[first];
        }
        const std::vector<std::string> fields = csvFields(line, m_separator);
        const bool hasEnding = fs::path(fields.front()).has_extension();
        if (m_rows.empty() && !m_hasHeading && !hasEnding && fields.size() >= 2) {
            m_hasHeading = true;
            return;
        }
        if (fields.size() < 2 || fields.size() > 3 || fields[1].empty()) {
            refuse(number, "'{}' is not a path and a label, such as 'images/a.jpg,cat'", line);
        }
        Row row{fields[1], std::nullopt, number};
        if (fields.size() == 3 && !fields[2].empty()) {
            row.part = dataPartOf(fields[2]);
            if (!row.part) {
                refuse(number, "'{}' is none of train, val and test", fields[2]);
            }
            m_parts.insert(*row.part);
        }
        checkImage(fields[0], number);
        const auto [other, isNew] =
            m_rows.emplace(fs::path(fields[0]).lexically_normal().string(), row);
        if (!isNew) {
            refuse(number, "'{}' is in line {} already", fields[0], other->second.line);
        }
        if (row.part.has_value() != m_rows.begin()->second.part.has_value()) {
            refuse(number, "either all lines say train, val or test, or none does");
        }
    }

    void checkImage(const std::string& path, int number) const
    {
        std::error_code ignored;
        if (!isPhotograph(path) || !fs::is_regular_file(m_folder / path, ignored)) {
            refuse(
                number, "there is no image '{}' (.jpg, .jpeg or .png) in {}", path,
                m_folder.empty() ? "." : m_folder.string());
        }
    }

    [[nodiscard]] std::vector<std::string> classNames() const
    {
        std::set<std::string> distinct;
        for (const auto& [path, row] : m_rows) {
            distinct.insert(row.label);
        }
        std::vector<std::string> names(distinct.begin(), distinct.end());
        std::int64_t ignored = 0;
        if (std::ranges::all_of(
                names, [&](const std::string& name) { return readNumber(name, ignored); })) {
            std::ranges::sort(names, isBeforeAsNumber);
        }
        return names;
    }

    void checkParts(const LabelledFiles& both, bool hasTest) const
    {
        if (!hasTest || !m_parts.contains(DataPart::Train)) {
            fail(
                ErrorCode::BadInput,
                "{}: no line says {}; give images of both, or leave the third column out",
                m_table.string(), hasTest ? "train" : "val or test");
        }
        std::set<std::string> untrained(both.classNames.begin(), both.classNames.end());
        for (const LabelledFiles::File& file : both.files) {
            if (!file.isTested) {
                untrained.erase(both.classNames[static_cast<std::size_t>(file.label)]);
            }
        }
        if (!untrained.empty()) {
            fail(
                ErrorCode::BadInput, "{}: no image to train on of class {}; say train in one line",
                m_table.string(), someOf({untrained.begin(), untrained.end()}));
        }
    }

    fs::path m_table;
    fs::path m_folder;
    char m_separator = '\0';
    bool m_hasHeading = false;
    std::set<DataPart> m_parts;
    std::map<std::string, Row> m_rows; ///< by path
};

} // namespace

LabelledFiles readLabelledTable(const fs::path& table, Split split, const SplitRules& rules)
{
    return TableReader(table).read(split, rules);
}

} // namespace lockstep
