// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/text_bytes.h"
#include "dataset/examples/class_names.h"
#include "dataset/examples/image_files.h"
#include "dataset/files/file_bytes.h"
#include "dataset/layouts/labelled_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Names of folders that hold images and say nothing of what they show.
constexpr auto kContainerWords = std::to_array<std::string_view>(
    {"image", "images", "img", "imgs", "picture", "pictures", "photo", "photos", "data", "dataset",
     "jpeg", "jpegs", "jpg", "png", "annotations", "masks", "labels", "set"});

/// Whether a folder of this name can't be a class: what it says is which images lie in it, not
/// what they show.
bool saysNoClass(const std::string& name)
{
    const std::vector<std::string> words = lettersIn(name);
    return !words.empty() && std::ranges::all_of(words, [](const std::string& word) {
        return dataPartOf(word)
               || std::ranges::find(kContainerWords, word) != kContainerWords.end();
    });
}

std::int64_t imagesBelow(const fs::path& folder)
{
    return std::ranges::count_if(walkFolder(folder).files, [&](const std::string& name) {
        return isImageFile(folder / name);
    });
}

bool hasImages(const fs::path& folder)
{
    return anyBelow(folder, isImageFile);
}

/// The folders in `folder` with an image in them or below, in the order of classes.
std::vector<std::string> foldersWithImages(const fs::path& folder)
{
    std::vector<std::string> names = entriesOf(folder).folders;
    std::erase_if(names, [&](const std::string& name) { return !hasImages(folder / name); });
    sortClassNames(names);
    return names;
}

/// A part as some archives pack it, in a folder of its own name: seg_train/seg_train.
fs::path unwrappedPart(const fs::path& part)
{
    const auto folders = foldersWithImages(part);
    const bool isTwice = folders.size() == 1 && folders.front() == part.filename();
    return isTwice ? part / folders.front() : part;
}

/// What is left of a name without words that say no class: "ham part" of "HAM_images_part_2".
std::vector<std::string> restOf(const std::string& name)
{
    std::vector<std::string> words = lettersIn(name);
    std::erase_if(words, [](const std::string& word) {
        return dataPartOf(word)
               || std::ranges::find(kContainerWords, word) != kContainerWords.end();
    });
    return words;
}

/// Whether folders of images are parts of the data rather than classes: all have names that say no
/// class, differ only by such words and by numbers, or are of several parts.
bool sayNoClasses(const std::vector<std::string>& names)
{
    std::set<DataPart> parts;
    bool haveContainers = true;
    bool haveOneRest = true;
    for (const std::string& name : names) {
        if (const auto part = dataPartIn(name)) {
            parts.insert(*part);
        }
        const auto rest = restOf(name);
        haveContainers = haveContainers && rest.size() < lettersIn(name).size();
        haveOneRest = haveOneRest && rest == restOf(names.front());
    }
    return !names.empty()
           && (std::ranges::all_of(names, saysNoClass) || (haveContainers && haveOneRest)
               || parts.size() > 1);
}

/// Counts what lies in a folder of classes beside them.
void leaveOutBeside(DataAccount& account, const fs::path& folder, const FolderEntries& entries)
{
    leaveOut(account, entries.leftOut);
    for (const std::string& name : entries.files) {
        if (isImageFile(folder / name)) {
            account.leaveOut("beside the folders of the classes", name);
        } else if (!isTable(name)) {
            leaveOutByEnding(account, name);
        }
    }
}

/// Counts what lies in a folder without an image.
void leaveOutBelow(DataAccount& account, const fs::path& place, const std::string& name)
{
    for (const std::string& file : walkFolder(place / name).files) {
        leaveOutByEnding(account, (fs::path(name) / file).string());
    }
}

/// Whether a folder without an image may have been meant for a class: it has no file, or pictures
/// that are not read.
bool mayBeClass(const fs::path& folder)
{
    DataAccount account;
    const auto files = walkFolder(folder).files;
    for (const std::string& file : files) {
        leaveOutByEnding(account, file);
    }
    return files.empty() || account.hasPictures();
}

/// Goes into a folder as long as it holds one folder of several and nothing else of use: what
/// archives and copies put around the data. What it passes is in the account.
fs::path unwrapped(fs::path place, DataAccount& account)
{
    constexpr int kMostWrappers = 4;
    for (int i = 0; i < kMostWrappers; ++i) {
        const auto folders = foldersWithImages(place);
        const FolderEntries entries = entriesOf(place);
        const auto isOfUse = [&](const std::string& name) {
            return isTable(name) || isImageFile(place / name);
        };
        const auto mayBeOther = [&](const std::string& name) {
            return name != folders.front() && mayBeClass(place / name);
        };
        if (folders.size() != 1 || std::ranges::any_of(entries.files, isOfUse)
            || std::ranges::any_of(entries.folders, mayBeOther)
            || foldersWithImages(place / folders.front()).size() < 2) {
            break;
        }
        leaveOutBeside(account, place, entries);
        for (const std::string& name : entries.folders) {
            if (name != folders.front()) {
                leaveOutBelow(account, place, name);
            }
        }
        place /= folders.front();
    }
    return place;
}

/// What a place holds, by which its layout is told.
struct Contents
{
    explicit Contents(const fs::path& folder, DataAccount passed = {})
        : place(folder), account(std::move(passed))
    {
        const FolderEntries entries = entriesOf(place);
        leaveOutBeside(account, place, entries);
        std::ranges::copy_if(entries.files, std::back_inserter(tables), isTable);
        for (const std::string& name : entries.folders) {
            if (hasImages(place / name)) {
                folders.push_back(name);
                continue;
            }
            empty.push_back(name);
            leaveOutBelow(account, place, name);
        }
        parts = partsBy(dataPartOf);
        if (!parts.contains(DataPart::Train)) {
            if (auto byWord = partsBy(dataPartIn); haveTheSameClasses(byWord)) {
                parts = std::move(byWord);
            }
        }
        for (const auto& [part, name] : parts) {
            const auto same = std::ranges::find_if(folders, [&](const std::string& each) {
                return each != name && dataPartOf(each) == part && isPart(each);
            });
            if (same != folders.end()) {
                fail(
                    ErrorCode::BadInput,
                    "{}: holds both {} and {}, which mean the same; leave one of them",
                    place.string(), name, *same);
            }
        }
        std::ranges::copy_if(folders, std::back_inserter(others), [&](const std::string& name) {
            return std::ranges::none_of(
                parts, [&](const auto& part) { return part.second == name; });
        });
        sortClassNames(others);
    }

    /// One whose images lie in it at once is a class: of vehicles, trains.
    [[nodiscard]] bool isPart(const std::string& name) const
    {
        return !foldersWithImages(place / name).empty();
    }

    /// The first folder of each part.
    template<class Word>
    [[nodiscard]] std::map<DataPart, std::string> partsBy(Word partOf) const
    {
        std::map<DataPart, std::string> found;
        for (const std::string& name : folders) {
            if (const auto part = partOf(name); part && isPart(name)) {
                found.emplace(*part, name);
            }
        }
        return found;
    }

    /// Of names that only hold the word of a part this has to be true, too.
    [[nodiscard]] bool haveTheSameClasses(const std::map<DataPart, std::string>& found) const
    {
        const auto classesOf = [&](const std::string& part) {
            return foldersWithImages(unwrappedPart(place / part));
        };
        return found.size() > 1 && found.contains(DataPart::Train)
               && std::ranges::all_of(found, [&](const auto& part) {
                      return classesOf(part.second) == classesOf(found.at(DataPart::Train));
                  });
    }

    fs::path place;
    std::vector<std::string> folders; ///< that have images, in them or below
    std::vector<std::string> empty;
    std::map<DataPart, std::string> parts;
    std::vector<std::string> others; ///< folders that are no part
    std::vector<std::string> tables;
    DataAccount account;
};

std::vector<std::string> missing(
    const std::vector<std::string>& from, const std::vector<std::string>& in)
{
    std::vector<std::string> names;
    std::ranges::copy_if(in, std::back_inserter(names), [&](const std::string& name) {
        return std::ranges::find(from, name) == from.end();
    });
    return names;
}

/// The classes, which both parts must have, or a label would mean two things.
std::vector<std::string> commonClasses(const fs::path& train, const fs::path& test)
{
    std::vector<std::string> classes = entriesOf(train).folders;
    std::vector<std::string> tested = entriesOf(test).folders;
    // A folder without images in both is no class, whatever it is.
    const auto isEmpty = [&](const std::string& name) {
        std::error_code ignored;
        const auto has = [&](const fs::path& part) {
            return fs::is_directory(part / name, ignored) && hasImages(part / name);
        };
        return !has(train) && !has(test);
    };
    std::erase_if(classes, isEmpty);
    std::erase_if(tested, isEmpty);
    for (const auto& [part, names] :
         {std::pair{train, missing(classes, tested)}, std::pair{test, missing(tested, classes)}}) {
        const auto& others = part == train ? classes : tested;
        for (const std::string& name : names) {
            const auto alike = std::ranges::find(others, seenOf(name), seenOf);
            if (alike != others.end()) {
                fail(
                    ErrorCode::BadInput,
                    "{}: has a folder {}, where {} is meant, which differs by case, by how its "
                    "accents are written or by blanks; call both the same",
                    part.string(), *alike, name);
            }
        }
        if (!names.empty()) {
            fail(
                ErrorCode::BadInput,
                "{}: lacks a folder for {}; {} and {} need folders for the same classes",
                part.string(), someOf(names), train.filename().string(), test.filename().string());
        }
    }
    sortClassNames(classes);
    return classes;
}

/// With the images of a folder for each class, those of its sub-folders among them.
void list(LabelledFiles& labelled)
{
    for (std::size_t label = 0; label < labelled.classNames.size(); ++label) {
        const std::string start = labelled.classNames[label] + "/";
        const FolderWalk found = walkFolder(labelled.folder / labelled.classNames[label]);
        leaveOut(labelled.account, found.leftOut, start);
        for (const std::string& name : found.files) {
            if (isImageFile(labelled.folder / start / name)) {
                labelled.files.push_back({start + name, static_cast<std::int32_t>(label)});
            } else {
                leaveOutByEnding(labelled.account, start + name);
            }
        }
    }
}

void warnOfEmpty(DataAccount& account, std::vector<std::string> names)
{
    if (!names.empty()) {
        account.warn(fmt::format("no class, as there are no images: {}", someOf(std::move(names))));
    }
}

/// Tells of the folders in a part that are no classes.
void tellEmpty(LabelledFiles& labelled, const fs::path& part)
{
    std::vector<std::string> names = entriesOf(part).folders;
    std::erase_if(names, [&](const std::string& name) {
        return std::ranges::find(labelled.classNames, name) != labelled.classNames.end();
    });
    for (std::string& name : names) {
        leaveOutBelow(labelled.account, part, name);
        name = (part.filename() / name).string();
    }
    warnOfEmpty(labelled.account, std::move(names));
}

/// Throws Error(BadInput) if the names of the classes do not say what their images show.
void checkNames(const LabelledFiles& labelled)
{
    if (sayNoClasses(labelled.classNames)) {
        fail(
            ErrorCode::BadInput,
            "{}: its folders with images are called {}, which names no class; give the place with "
            "a folder for each class, or a table of paths and labels (dataset.path = …/labels.csv)",
            labelled.folder.string(), someOf(labelled.classNames));
    }
}

/// Folds and sets, and classes that are split themselves: what lies below says that they are the
/// other way round. Throws Error(BadInput) where the names say so, else tells what may be meant.
void checkSubfolders(LabelledFiles& labelled)
{
    const auto& names = labelled.classNames;
    std::vector<std::vector<std::string>> below;
    for (const std::string& name : names) {
        below.push_back(foldersWithImages(labelled.folder / name));
    }
    if (names.size() < 2) {
        return;
    }
    const auto wordsOf = [](const std::string& name) { // "set" of setA, fold_1
        std::vector<std::string> words = lettersIn(name);
        if (words.size() > 1) {
            std::erase_if(words, [](const std::string& word) { return word.size() == 1; });
        }
        return words;
    };
    const bool areCounted = std::ranges::all_of(names, [&](const std::string& name) {
        return !wordsOf(name).empty() && wordsOf(name) == wordsOf(names.front());
    });
    const bool areSame =
        below.front().size() > 1
        && std::ranges::all_of(below, [&](const auto& each) { return each == below.front(); });
    const bool areParts = std::ranges::all_of(below, [](const auto& each) {
        return !each.empty() && std::ranges::all_of(each, [](const std::string& name) {
            return dataPartOf(name).has_value();
        });
    });
    if (areParts || (areSame && areCounted)) {
        fail(
            ErrorCode::BadInput,
            "{}: each of {} holds folders {}: put the classes into folders train and val, or give "
            "one of these (dataset.path)",
            labelled.folder.string(), someOf(names), someOf(below.front()));
    }
    if (areSame) {
        labelled.account.warn(fmt::format(
            "{} are the classes, each of which holds {}; if those are the classes, give one of the "
            "folders (dataset.path)",
            someOf(names), someOf(below.front())));
    }
}

LabelledFiles ofParts(const Contents& contents, Split split, const SplitRules& rules)
{
    const fs::path& place = contents.place;
    const auto& parts = contents.parts;
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
    LabelledFiles files;
    files.account = contents.account;
    const fs::path trainFolder = unwrappedPart(place / train->second);
    leaveOutBeside(files.account, trainFolder, entriesOf(trainFolder));
    for (const std::string& other : contents.others) {
        const auto part = dataPartIn(other);
        const bool isSecond = part && parts.contains(*part) && contents.isPart(other);
        files.account.warn(fmt::format(
            "the images in {} are not used ({}): {}", other, imagesBelow(place / other),
            isSecond ? "there is " + parts.at(*part) + "; put them together"
            : part   ? "they lie in no folders of classes; put each into the one of its class"
                     : "it is neither train nor val nor test"));
    }
    if (!tested) {
        const bool isTwice = std::ranges::any_of(contents.others, [](const std::string& name) {
            return !saysNoClass(name) && !dataPartIn(name);
        });
        if (isTwice) {
            fail(
                ErrorCode::BadInput,
                "{}: {} holds folders of images, and beside it are {}: give {} if its folders are "
                "the classes (dataset.path); if it is a class itself, call it {}_",
                place.string(), train->second, someOf(contents.others),
                (place / train->second).string(), train->second);
        }
        files.folder = trainFolder;
        files.classNames = foldersWithImages(trainFolder);
        files.layout = fmt::format(
            "a folder for each class in {}, nothing to test on beside it", train->second);
        checkNames(files);
        tellEmpty(files, trainFolder);
        list(files);
        drawSplit(files, split, rules, trainFolder.string());
        return files;
    }
    const std::string& test = parts.at(*tested);
    const fs::path testFolder = unwrappedPart(place / test);
    leaveOutBeside(files.account, testFolder, entriesOf(testFolder));
    files.folder = split == Split::Train ? trainFolder : testFolder;
    files.classNames = commonClasses(trainFolder, testFolder);
    files.layout = fmt::format(
        "a folder for each class in {} and {}; {} is tested on", train->second, test, test);
    if (there.size() == 3) {
        const DataPart other = *tested == DataPart::Test ? DataPart::Validation : DataPart::Test;
        files.layout += fmt::format(", {} is held back", parts.at(other));
    }
    checkNames(files);
    for (const fs::path& part : {trainFolder, testFolder}) {
        tellEmpty(files, part);
        for (const std::string& name : files.classNames) {
            if (!hasImages(part / name)) {
                files.account.warn(
                    fmt::format("class {} has no image in {}", name, part.filename().string()));
            }
        }
    }
    list(files);
    return files;
}

LabelledFiles ofClasses(const Contents& contents, Split split, const SplitRules& rules)
{
    LabelledFiles both{
        contents.place, contents.others, {}, "a folder for each class, no train and val"};
    both.account = contents.account;
    checkNames(both);
    checkSubfolders(both);
    for (const std::string& name : contents.others) {
        if (saysNoClass(name)) {
            both.account.warn(fmt::format("{} is taken for a class, as those beside it are", name));
        }
    }
    const bool isSplit = rules.testShare != SplitRules::kAllTested;
    if (isSplit && contents.others.size() == 1 && !contents.empty.empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: {} holds images, {} none that can be read (JPEG, PNG, BMP); convert them, or give "
            "{} if its folders are the classes (dataset.path)",
            contents.place.string(), contents.others.front(), someOf(contents.empty),
            (contents.place / contents.others.front()).string());
    }
    warnOfEmpty(both.account, contents.empty);
    list(both);
    drawSplit(both, split, rules, contents.place.string());
    return both;
}

/// The table of a folder: the one for the training, or the only one.
std::optional<fs::path> tableOf(const Contents& contents)
{
    std::vector<std::string> tables = contents.tables;
    if (tables.size() > 1) {
        std::erase_if(tables, [](const std::string& name) {
            return dataPartIn(fs::path(name).stem().string()) != DataPart::Train;
        });
    }
    return tables.size() == 1 ? std::optional(contents.place / tables.front()) : std::nullopt;
}

/// Why a table that lies beside folders of classes is not followed; refuses where both fit and say
/// different things.
std::string whyNotTable(const fs::path& table, const Contents& contents, const SplitRules& rules)
{
    LabelledFiles named;
    try {
        named = readLabelledTable(table, Split::Train, rules);
        for (auto& file : readLabelledTable(table, Split::Test, rules).files) {
            named.files.push_back(std::move(file));
        }
    } catch (const Error& error) {
        return error.what();
    }
    const auto contradicting =
        std::ranges::find_if(named.files, [&](const LabelledFiles::File& file) {
            const fs::path folder = fs::path(file.name).parent_path();
            const std::string& label = named.classNames[static_cast<std::size_t>(file.label)];
            return std::ranges::none_of(
                folder, [&](const fs::path& part) { return part.string() == label; });
        });
    if (contradicting != named.files.end()) {
        fail(
            ErrorCode::BadInput,
            "{}: folders of classes and a table lie here, and {} is '{}' in the table; for the "
            "table set dataset.path = {}, for the folders move it away",
            contents.place.string(), contradicting->name,
            named.classNames[static_cast<std::size_t>(contradicting->label)], table.string());
    }
    if (!named.isDrawn && contents.parts.empty()) {
        fail(
            ErrorCode::BadInput,
            "{}: {} says which images are tested on, the folders of classes do not; to follow it "
            "set dataset.path = {}, to have a share drawn move it away",
            contents.place.string(), table.filename().string(), table.string());
    }
    return fmt::format(
        "the folders say the same; for the table set dataset.path = {}", table.string());
}

} // namespace

LabelledFiles findLabelledFiles(const fs::path& path, Split split, const SplitRules& rules)
{
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) {
        if (isTable(path)) {
            return readLabelledTable(path, split, rules);
        }
        fail(
            ErrorCode::BadInput,
            "{}: is a file, but neither a folder nor a table of paths and labels (.csv); if it is "
            "an archive, unpack it and give its folder (dataset.path)",
            path.string());
    }
    if (!fs::is_directory(path, ignored)) {
        fail(
            ErrorCode::BadInput,
            "{}: this folder does not exist; give one that holds a folder for each class, alone or "
            "in train and val, or a table of paths and labels that ends in .csv (dataset.path)",
            path.string());
    }
    // A part alone is no wrapper: its name says what it is.
    Contents contents(path);
    DataAccount passed;
    const fs::path inner = contents.parts.empty() ? unwrapped(path, passed) : path;
    if (inner != path) {
        contents = Contents(inner, std::move(passed));
    }
    const bool saysClasses =
        !contents.parts.empty() || (contents.others.size() > 1 && !sayNoClasses(contents.others));
    const auto table = tableOf(contents);
    if (table && !saysClasses) {
        LabelledFiles files = readLabelledTable(*table, split, rules);
        for (const std::string& other : contents.tables) {
            if (other != table->filename()) {
                files.account.warn(fmt::format("{} is not used", other));
            }
        }
        return files;
    }
    if (!saysClasses && contents.tables.size() > 1) {
        fail(
            ErrorCode::BadInput, "{}: holds the tables {}; give the one to use (dataset.path = {})",
            contents.place.string(), someOf(contents.tables),
            (contents.place / contents.tables.front()).string());
    }
    if (table) {
        contents.account.warn(fmt::format(
            "{} is not used: {}", table->filename().string(),
            whyNotTable(*table, contents, rules)));
    }
    return contents.parts.empty() ? ofClasses(contents, split, rules)
                                  : ofParts(contents, split, rules);
}

} // namespace lockstep
