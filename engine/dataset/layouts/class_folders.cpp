// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "dataset/files/file_bytes.h"
#include "dataset/layouts/labelled_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

bool isVisible(const fs::directory_entry& entry)
{
    return !entry.path().filename().string().starts_with('.');
}

bool isFolder(const fs::directory_entry& entry)
{
    std::error_code ignored;
    return isVisible(entry) && entry.is_directory(ignored);
}

bool isImageFile(const fs::directory_entry& entry)
{
    return isVisible(entry) && isPhotograph(entry.path());
}

/// The folders of a data set's parts, by name. One whose photographs lie in it at once is a class:
/// of vehicles, trains.
std::map<DataPart, std::string> partsIn(const fs::path& place)
{
    std::map<DataPart, std::string> parts;
    for (const std::string& name : namesIn(place, isFolder)) {
        const auto part = dataPartOf(name);
        if (!part || namesIn(place / name, isFolder).empty()) {
            continue;
        }
        const auto [other, isNew] = parts.emplace(*part, name);
        if (!isNew) {
            fail(
                ErrorCode::BadInput,
                "{}: holds both {} and {}, which mean the same; leave one of them", place.string(),
                other->second, name);
        }
    }
    return parts;
}

std::vector<std::string> missing(
    const std::vector<std::string>& from, const std::vector<std::string>& in)
{
    std::vector<std::string> names;
    std::ranges::set_difference(in, from, std::back_inserter(names));
    return names;
}

/// The classes, which both parts must have, or a label would mean two things.
std::vector<std::string> commonClasses(
    const fs::path& place, const std::string& train, const std::string& test)
{
    std::vector<std::string> classes = namesIn(place / train, isFolder);
    const std::vector<std::string> tested = namesIn(place / test, isFolder);
    for (const auto& [part, names] :
         {std::pair{train, missing(classes, tested)}, std::pair{test, missing(tested, classes)}}) {
        if (!names.empty()) {
            fail(
                ErrorCode::BadInput,
                "{}: lacks a folder for {}; {} and {} need folders for the same classes",
                (place / part).string(), someOf(names), train, test);
        }
    }
    return classes;
}

/// With the images of a folder for each class.
void list(LabelledFiles& labelled)
{
    for (std::size_t label = 0; label < labelled.classNames.size(); ++label) {
        const fs::path folder = labelled.classNames[label];
        for (const std::string& name : namesIn(labelled.folder / folder, isImageFile)) {
            labelled.files.push_back({(folder / name).string(), static_cast<std::int32_t>(label)});
        }
    }
}

LabelledFiles ofParts(
    const fs::path& place, const std::map<DataPart, std::string>& parts, Split split,
    const SplitRules& rules)
{
    const auto train = parts.find(DataPart::Train);
    std::set<DataPart> there;
    std::ranges::transform(
        parts, std::inserter(there, there.end()), [](const auto& each) { return each.first; });
    const auto tested = rules.testedOf(there);
    if (train == parts.end()) {
        fail(
            ErrorCode::BadInput,
            "{}: holds {}, but nothing to train on; add a folder train with the same classes, or "
            "give {} itself, of whose classes a share is then tested on (dataset.path)",
            place.string(), parts.begin()->second, parts.begin()->second);
    }
    if (!tested) {
        LabelledFiles both{
            place / train->second,
            namesIn(place / train->second, isFolder),
            {},
            "a folder for each class in train, nothing to test on beside it"};
        list(both);
        drawSplit(both, split, rules, both.folder.string());
        return both;
    }
    const std::string& test = parts.at(*tested);
    LabelledFiles files{
        place / (split == Split::Train ? train->second : test),
        commonClasses(place, train->second, test),
        {},
        fmt::format(
            "a folder for each class in {} and {}; {} is tested on", train->second, test, test)};
    if (there.size() == 3) {
        const DataPart other = *tested == DataPart::Test ? DataPart::Validation : DataPart::Test;
        files.layout += fmt::format(", {} is held back", parts.at(other));
    }
    list(files);
    return files;
}

} // namespace

LabelledFiles findLabelledFiles(const fs::path& place, Split split, const SplitRules& rules)
{
    std::error_code ignored;
    if (fs::is_regular_file(place, ignored) && endsIn(place, {".csv"})) {
        return readLabelledTable(place, split, rules);
    }
    if (!fs::is_directory(place, ignored)) {
        fail(
            ErrorCode::BadInput,
            "{}: this folder does not exist; give one that holds a folder for each class, alone or "
            "in train and val, or a table of paths and labels that ends in .csv (dataset.path)",
            place.string());
    }
    if (const auto parts = partsIn(place); !parts.empty()) {
        return ofParts(place, parts, split, rules);
    }
    LabelledFiles both{place, {}, {}, "a folder for each class, no train and val"};
    for (std::string& name : namesIn(place, isFolder)) {
        if (!namesIn(place / name, isImageFile).empty()) {
            both.classNames.push_back(std::move(name));
        }
    }
    const auto tables = namesIn(place, [](const auto& entry) {
        return isVisible(entry) && endsIn(entry.path(), {".csv"});
    });
    if (both.classNames.size() < 2 && tables.size() == 1) {
        return readLabelledTable(place / tables.front(), split, rules);
    }
    list(both);
    drawSplit(both, split, rules, place.string());
    return both;
}

} // namespace lockstep
