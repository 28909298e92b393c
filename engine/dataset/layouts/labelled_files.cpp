// SPDX-License-Identifier: Apache-2.0
#include "dataset/layouts/labelled_files.h"

#include "base/error.h"
#include "dataset/examples/class_names.h"
#include "dataset/files/file_bytes.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

using File = LabelledFiles::File;

/// Numbers of the files of each class.
std::vector<std::vector<std::size_t>> byClass(const LabelledFiles& labelled)
{
    std::vector<std::vector<std::size_t>> numbers(labelled.classNames.size());
    for (std::size_t i = 0; i < labelled.files.size(); ++i) {
        numbers[static_cast<std::size_t>(labelled.files[i].label)].push_back(i);
    }
    return numbers;
}

/// Of a name that is a whole number.
std::optional<std::int64_t> numberIn(const std::string& text)
{
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

} // namespace

bool isTable(const std::filesystem::path& name)
{
    return endsIn(name, {".csv", ".tsv"});
}

void sortClassNames(std::vector<std::string>& names)
{
    const auto isNumber = [](const std::string& name) { return numberIn(name).has_value(); };
    if (std::ranges::all_of(names, isNumber)) {
        std::ranges::sort(
            names, {}, [](const std::string& name) { return std::pair(*numberIn(name), name); });
    } else {
        std::ranges::sort(names);
    }
}

void drawSplit(LabelledFiles& both, Split split, const SplitRules& rules, const std::string& where)
{
    if (rules.testShare == SplitRules::kAllTested) {
        for (File& file : both.files) {
            file.isTested = true;
        }
        both.isDrawn = true;
        keepSplit(both, split);
        return;
    }
    const auto numbers = byClass(both);
    std::vector<std::string> tooSmall;
    for (std::size_t label = 0; label < numbers.size(); ++label) {
        if (numbers[label].size() < 2) {
            tooSmall.push_back(both.classNames[label]);
        }
    }
    if (!tooSmall.empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: fewer than two images of class {}; each class needs one to train on and one to "
            "test on: add images, or take the class away",
            where, someOf(std::move(tooSmall)));
    }
    if (numbers.size() < 2) {
        fail(
            ErrorCode::BadInput,
            "{}: holds one class or none; give the place with a folder or a label for each of "
            "several classes (dataset.path)",
            where);
    }
    for (std::size_t label = 0; label < numbers.size(); ++label) {
        const auto isTested =
            rules.drawTested(numbers[label].size(), static_cast<std::int32_t>(label));
        for (std::size_t i = 0; i < isTested.size(); ++i) {
            both.files[numbers[label][i]].isTested = isTested[i];
        }
    }
    both.isDrawn = true;
    both.layout += fmt::format(
        "; {:g} % of each class, drawn by the seed, are tested on", rules.testShare * 100.0);
    keepSplit(both, split);
}

void keepSplit(LabelledFiles& both, Split split)
{
    std::erase_if(
        both.files, [&](const File& file) { return file.isTested != (split == Split::Test); });
}

} // namespace lockstep
