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
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

// Names of columns, in lower case; those come first that say most surely what they are.
constexpr auto kPathColumns = std::to_array<std::string_view>(
    {"path", "filepath", "file_path", "image_path", "img_path", "filename", "file_name",
     "image_name", "img_name", "file", "image", "images", "img", "image_id", "id_code", "id",
     "name"});
constexpr auto kLabelColumns = std::to_array<std::string_view>(
    {"label", "labels", "class", "classes", "class_name", "classname", "label_name", "class_id",
     "category", "target", "species", "breed", "diagnosis", "dx", "finding"});
constexpr auto kPartColumns = std::to_array<std::string_view>(
    {"split", "part", "set", "subset", "partition", "usage", "phase"});

/// To a question such as is_test.
constexpr auto kAnswers = std::to_array<std::string_view>(
    {"0", "1", "0.0", "1.0", "true", "false", "yes", "no", "y", "n"});

using Columns = std::vector<std::size_t>;

/// The columns that have one of these names, in the order of the names.
Columns columnsOf(const std::vector<std::string>& heading, std::span<const std::string_view> names)
{
    Columns columns;
    for (const std::string_view name : names) {
        for (std::size_t i = 0; i < heading.size(); ++i) {
            if (lowerCase(heading[i]) == name) {
                columns.push_back(i);
            }
        }
    }
    return columns;
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
        DataAccount account;
        readLines(account);
        LabelledFiles both{
            m_folder,
            classNames(),
            {},
            fmt::format("a table of paths and labels, {}", m_table.filename().string())};
        both.account = std::move(account);
        leaveOutOthers(both.account);
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
            const auto heldBack = std::ranges::count_if(m_rows, [&](const auto& row) {
                return row.second.part != DataPart::Train && row.second.part != tested;
            });
            both.layout += heldBack == 0 ? "" : fmt::format(", {} are held back", heldBack);
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

    struct Line
    {
        std::vector<std::string> fields;
        std::string text;
        int number = 0;
    };

    void readLines(DataAccount& account)
    {
        const TextFile file = readTextFile(m_table);
        m_encoding = file.encoding;
        const std::size_t first = file.text.find_first_of(kCsvSeparators);
        const char separator =
            first == std::string::npos ? kCsvSeparators.front() : file.text[first];
        std::vector<Line> lines;
        int number = 1;
        for (std::string_view rest = file.text; !rest.empty();) {
            std::string line(takeCsvLine(rest, separator));
            const int begin = number;
            number += 1 + static_cast<int>(std::ranges::count(line, '\n'));
            line.erase(line.find_last_not_of(' ') + 1);
            if (!line.empty()) {
                lines.push_back({csvFields(line, separator), line, begin});
            }
        }
        takeHeading(lines, account);
        for (const Line& line : lines) {
            take(line);
        }
        if (m_rows.empty()) {
            fail(
                ErrorCode::BadInput,
                "{}: names no images; a line reads 'images/a.jpg,cat' (dataset.path)",
                m_table.string());
        }
    }

    void take(const Line& line)
    {
        std::vector<std::string> fields = line.fields;
        if (m_columns) {
            fields = chosen(line);
        }
        const int number = line.number;
        if (fields.size() < 2 || fields.size() > 3 || fields[1].empty()) {
            refuse(number, "'{}' is not a path and a label, such as 'images/a.jpg,cat'", line.text);
        }
        Row row{fields[1], std::nullopt, number};
        if (fields.size() == 3 && !fields[2].empty()) {
            row.part = dataPartIn(fields[2]);
            if (!row.part) {
                refuse(
                    number,
                    "'{}' is none of train, val and test, which a third column has to say; where "
                    "there are others, the first line names them: path, label, split",
                    fields[2]);
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

    /// Takes off a first line that says what the columns are.
    void takeHeading(std::vector<Line>& lines, DataAccount& account)
    {
        if (lines.empty() || lines.front().fields.size() < 2) {
            return;
        }
        const Line heading = lines.front();
        const std::string& first = heading.fields.front();
        const Columns paths = columnsOf(heading.fields, kPathColumns);
        const Columns labels = columnsOf(heading.fields, kLabelColumns);
        if (endsIn(first, {".jpg", ".jpeg", ".png", ".bmp"}) || !placesOf(first).empty()) {
            return;
        }
        if (paths.empty() && labels.empty()) {
            if (fs::path(first).has_extension() || first.find('/') != std::string::npos) {
                return; // an image that is not there
            }
            account.warn(fmt::format(
                "{}: its first line, '{}', is taken for the names of its columns",
                m_table.filename().string(), heading.text));
        }
        lines.erase(lines.begin());
        const bool isPlain = heading.fields.size() == 2 && (paths.empty() || paths.front() == 0)
                             && labels.size() < 2;
        if (isPlain || lines.empty()) {
            return;
        }
        if (paths.empty() || labels.empty()) {
            refuse(
                heading.number,
                "no column is called {}; call those that are to be read path, label and, if there "
                "is one, split",
                paths.empty() ? "path or filename" : "label or class");
        }
        const std::size_t path = pathColumn(paths, heading, lines.front());
        const std::size_t label = labelColumn(labels, path, heading, lines);
        m_columns = {path, label};
        const Columns parts = columnsOf(heading.fields, kPartColumns);
        if (!parts.empty()) {
            m_columns->push_back(parts.front());
        }
        tellColumns(heading, lines, account);
    }

    /// Of those that may be the path the one whose values are images.
    [[nodiscard]] std::size_t pathColumn(
        const Columns& paths, const Line& heading, const Line& line) const
    {
        Columns fitting;
        std::ranges::copy_if(paths, std::back_inserter(fitting), [&](std::size_t column) {
            return column < line.fields.size() && !placesOf(line.fields[column]).empty();
        });
        if (fitting.size() > 1) { // a number of a row may be the name of another one's image
            const auto isWhole = [&](std::size_t column) {
                return fs::path(line.fields[column]).has_extension();
            };
            const auto count = std::ranges::count_if(fitting, isWhole);
            const auto other = std::ranges::find_if(fitting, [&](std::size_t column) {
                return placesOf(line.fields[column]) != placesOf(line.fields[fitting.front()]);
            });
            if (count != 1 && other != fitting.end()) {
                refuse(
                    heading.number,
                    "images may be named by the column {} or by {}; take one of them away, or call "
                    "the one that is to be read path and the other one otherwise",
                    heading.fields[fitting.front()], heading.fields[*other]);
            }
            return count == 1 ? *std::ranges::find_if(fitting, isWhole) : fitting.front();
        }
        return fitting.empty() ? paths.front() : fitting.front();
    }

    /// Of those that may be the label the only one, or of two that say the same the one in words.
    [[nodiscard]] std::size_t labelColumn(
        Columns labels, std::size_t path, const Line& heading, const std::vector<Line>& lines) const
    {
        std::erase(labels, path);
        const auto valueOf = [](const Line& line, std::size_t column) {
            return column < line.fields.size() ? line.fields[column] : std::string();
        };
        for (std::size_t i = 1; i < labels.size(); ++i) {
            std::map<std::string, std::string> there;
            std::map<std::string, std::string> back;
            for (const Line& line : lines) {
                const std::string one = valueOf(line, labels.front());
                const std::string other = valueOf(line, labels[i]);
                if (there.emplace(one, other).first->second != other
                    || back.emplace(other, one).first->second != one) {
                    refuse(
                        heading.number,
                        "the label may be the column {} or {}, which say different things; take "
                        "one of them away",
                        heading.fields[labels.front()], heading.fields[labels[i]]);
                }
            }
        }
        const auto words = std::ranges::find_if(labels, [&](std::size_t column) {
            const std::string value = valueOf(lines.front(), column);
            return value.find_first_not_of("0123456789") != std::string::npos;
        });
        return words == labels.end() ? labels.front() : *words;
    }

    /// Which columns are read, and which are not although they may say what is tested on.
    void tellColumns(
        const Line& heading, const std::vector<Line>& lines, DataAccount& account) const
    {
        std::vector<std::string> others;
        for (std::size_t i = 0; i < heading.fields.size(); ++i) {
            if (std::ranges::find(*m_columns, i) != m_columns->end()) {
                continue;
            }
            others.push_back(heading.fields[i]);
            const bool isQuestion = dataPartIn(heading.fields[i]).has_value(); // is_test
            const auto saysPart = [&](const Line& line) {
                const std::string value = i < line.fields.size() ? lowerCase(line.fields[i]) : "";
                return dataPartIn(value)
                       || (isQuestion && std::ranges::find(kAnswers, value) != kAnswers.end());
            };
            if (m_columns->size() == 2 && std::ranges::all_of(lines, saysPart)) {
                refuse(
                    heading.number,
                    "the column {} says what is tested on; call it split, with train, val or test "
                    "in every line, or take it away to have a share drawn",
                    heading.fields[i]);
            }
        }
        const auto name = [&](std::size_t column) { return heading.fields[column]; };
        if (others.empty() && std::ranges::is_sorted(*m_columns)) {
            return;
        }
        account.warn(fmt::format(
            "{}: images are those of the column {}, labels those of {}{}; not read: {}",
            m_table.filename().string(), name(m_columns->at(0)), name(m_columns->at(1)),
            m_columns->size() > 2 ? ", parts those of " + name(m_columns->at(2)) : "",
            others.empty() ? "none" : someOf(others)));
    }

    [[nodiscard]] std::vector<std::string> chosen(const Line& line) const
    {
        std::vector<std::string> wanted;
        for (const std::size_t column : *m_columns) {
            if (column >= line.fields.size()) {
                refuse(line.number, "'{}' has fewer columns than the heading", line.text);
            }
            wanted.push_back(line.fields[column]);
        }
        return wanted;
    }

    /// Images that no line of the table names, beside those that are named, and in the folders
    /// beside the table.
    void leaveOutOthers(DataAccount& account) const
    {
        std::set<fs::path> places(m_below.begin(), m_below.end());
        for (const auto& [name, row] : m_rows) {
            places.insert(fs::path(name).parent_path());
        }
        for (const fs::path& place : places) {
            const fs::path folder = m_folder / place;
            for (const std::string& file : entriesOf(folder.empty() ? "." : folder).files) {
                const std::string name = (place / file).string();
                if (!m_rows.contains(name) && isImageFile(m_folder / name)) {
                    account.leaveOut("that no line of the table names", name);
                }
            }
        }
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
    std::string m_encoding;           ///< as TextFile
    std::optional<Columns> m_columns; ///< of path, label and part, if not these
    std::set<DataPart> m_parts;
    std::map<std::string, Row> m_rows; ///< by path
};

} // namespace

LabelledFiles readLabelledTable(const fs::path& table, Split split, const SplitRules& rules)
{
    return TableReader(table).read(split, rules);
}

} // namespace lockstep
