// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "dataset/examples/class_names.h"
#include "dataset/examples/image_files.h"
#include "dataset/files/csv_fields.h"
#include "dataset/files/file_bytes.h"
#include "dataset/files/text_file.h"
#include "dataset/layouts/labelled_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

// Names of columns, in lower case.
constexpr auto kPathColumns = std::to_array<std::string_view>(
    {"path", "file", "filename", "file_name", "filepath", "file_path", "image", "images",
     "image_path", "image_name", "image_id", "img", "id", "id_code", "name"});
constexpr auto kLabelColumns = std::to_array<std::string_view>(
    {"label", "labels", "class", "classes", "class_name", "class_id", "category", "target",
     "species", "breed", "diagnosis", "dx", "finding"});
constexpr auto kPartColumns = std::to_array<std::string_view>({"split", "part", "set", "subset"});

/// The first column that has one of these names.
std::optional<std::size_t> columnOf(
    const std::vector<std::string>& heading, std::span<const std::string_view> names)
{
    const auto found = std::ranges::find_if(heading, [&](const std::string& field) {
        return std::ranges::find(names, lowerCase(field)) != names.end();
    });
    return found == heading.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - heading.begin()));
}

class TableReader
{
public:
    explicit TableReader(const fs::path& table)
        : m_table(table), m_folder(table.parent_path()),
          m_below(entriesOf(m_folder.empty() ? "." : m_folder).folders)
    {
    }

    LabelledFiles read(Split split, const SplitRules& rules)
    {
        readLines();
        LabelledFiles both{
            m_folder,
            classNames(),
            {},
            fmt::format("a table of paths and labels, {}", m_table.filename().string())};
        if (!m_encoding.empty()) {
            both.account.warn(fmt::format(
                "{} was read as {}; save it as UTF-8 if names look wrong",
                m_table.filename().string(), m_encoding));
        }
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
        const TextFile file = readTextFile(m_table);
        m_encoding = file.encoding;
        const char separator = separatorOf(file.text);
        int number = 1;
        for (std::string_view rest = file.text; !rest.empty();) {
            std::string line(takeCsvLine(rest, separator));
            const int first = number;
            number += 1 + static_cast<int>(std::ranges::count(line, '\n'));
            line.erase(line.find_last_not_of(' ') + 1);
            if (!line.empty()) {
                take(line, first);
            }
        }
        if (m_rows.empty()) {
            fail(
                ErrorCode::BadInput,
                "{}: names no images; a line reads 'images/a.jpg,cat' (dataset.path)",
                m_table.string());
        }
    }

    /// As the first line has it.
    char separatorOf(const std::string& line)
    {
        if (m_separator == '\0') {
            const std::size_t first = line.find_first_of(kCsvSeparators);
            m_separator = first == std::string::npos ? kCsvSeparators.front() : line[first];
        }
        return m_separator;
    }

    void take(const std::string& line, int number)
    {
        std::vector<std::string> fields = csvFields(line, separatorOf(line));
        if (m_rows.empty() && !m_hasHeading && fields.size() >= 2 && isHeading(fields.front())) {
            m_hasHeading = true;
            takeHeading(fields);
            return;
        }
        if (m_columns) {
            fields = chosen(fields, line, number);
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
        const auto [other, isNew] = m_rows.emplace(findImage(fields[0], number), row);
        if (!isNew) {
            refuse(number, "'{}' is in line {} already", fields[0], other->second.line);
        }
        if (row.part.has_value() != m_rows.begin()->second.part.has_value()) {
            refuse(number, "either all lines say train, val or test, or none does");
        }
    }

    [[nodiscard]] bool isHeading(const std::string& path) const
    {
        return !endsIn(path, {".jpg", ".jpeg", ".png", ".bmp"}) && placesOf(path).empty();
    }

    /// Where there are more columns than are needed, those that are.
    void takeHeading(const std::vector<std::string>& heading)
    {
        const auto path = columnOf(heading, kPathColumns);
        const auto label = columnOf(heading, kLabelColumns);
        const bool isPlain = heading.size() <= 3 && path.value_or(0) == 0 && label.value_or(1) == 1;
        if (!isPlain && path && label) {
            m_columns = {*path, *label};
            if (const auto part = columnOf(heading, kPartColumns)) {
                m_columns->push_back(*part);
            }
        }
    }

    [[nodiscard]] std::vector<std::string> chosen(
        const std::vector<std::string>& fields, const std::string& line, int number) const
    {
        std::vector<std::string> wanted;
        for (const std::size_t column : *m_columns) {
            if (column >= fields.size()) {
                refuse(number, "'{}' has fewer columns than the heading", line);
            }
            wanted.push_back(fields[column]);
        }
        return wanted;
    }

    /// Where an image may be that the table calls so: by its name as text, or in the bytes that the
    /// table has for it.
    [[nodiscard]] std::vector<std::string> placesOf(const std::string& name) const
    {
        std::vector<std::string> places = placesOfFile(name);
        const bool isBytes =
            places.empty() && !m_encoding.empty() && !m_encoding.starts_with("UTF");
        return isBytes ? placesOfFile(encoded(name, m_encoding)) : places;
    }

    [[nodiscard]] std::vector<std::string> placesOfFile(std::string path) const
    {
        std::ranges::replace(path, '\\', '/'); // as Windows writes them
        std::vector<std::string> places;
        const auto look = [&](const fs::path& place) {
            for (const char* ending : {"", ".jpg", ".jpeg", ".png", ".bmp"}) {
                const fs::path whole = place.string() + ending;
                std::error_code ignored;
                if (fs::is_regular_file(m_folder / whole, ignored)
                    && isImageFile(m_folder / whole)) {
                    places.push_back(whole.lexically_normal().string());
                }
            }
        };
        look(path);
        if (!places.empty()) {
            return places;
        }
        for (const std::string& folder : m_below) {
            look(fs::path(folder) / path);
        }
        const auto part = dataPartIn(m_table.stem().string());
        if (places.size() > 1 && part) {
            std::erase_if(places, [&](const std::string& place) {
                return dataPartIn(fs::path(place).begin()->string()) != part;
            });
        }
        return places;
    }

    /// The image that a line means, relative to the folder.
    [[nodiscard]] std::string findImage(const std::string& path, int number) const
    {
        const std::vector<std::string> places = placesOf(path);
        if (places.empty()) {
            refuse(
                number, "there is no image '{}' (JPEG, PNG or BMP) in {} or a folder in it", path,
                m_folder.empty() ? "." : m_folder.string());
        }
        if (places.size() > 1) {
            refuse(
                number, "'{}' may be {} or {}; write the path with its folder and ending", path,
                places[0], places[1]);
        }
        return places.front();
    }

    [[nodiscard]] std::vector<std::string> classNames() const
    {
        std::set<std::string> distinct;
        for (const auto& [path, row] : m_rows) {
            distinct.insert(row.label);
        }
        std::vector<std::string> names(distinct.begin(), distinct.end());
        sortClassNames(names);
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
    std::vector<std::string> m_below; ///< folders in it
    char m_separator = '\0';
    std::string m_encoding; ///< as TextFile
    bool m_hasHeading = false;
    std::optional<std::vector<std::size_t>> m_columns; ///< of path, label and part, if not these
    std::set<DataPart> m_parts;
    std::map<std::string, Row> m_rows; ///< by path
};

} // namespace

LabelledFiles readLabelledTable(const fs::path& table, Split split, const SplitRules& rules)
{
    return TableReader(table).read(split, rules);
}

} // namespace lockstep
