// SPDX-License-Identifier: Apache-2.0
#include "dataset/formats/catalog.h"

#include "base/error.h"
#include "base/user_folder.h"
#include "dataset/formats/cifar10.h"
#include "dataset/formats/image_folder.h"
#include "dataset/formats/synthetic.h"
#include "dataset/formats/synthetic_defects.h"
#include "dataset/formats/tfrecord.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// What the catalogue knows of a data set beyond what it shows.
struct Entry
{
    std::unique_ptr<Dataset> (*open)(
        const DatasetRequest& request, Split split, const LoadProgress& progress) = nullptr;
    std::vector<fs::path> (*candidates)() = [] { return std::vector<fs::path>(); };
    std::optional<fs::path> (*find)() = [] { return std::optional<fs::path>(); };
    const char* howToGet = "";
};

std::optional<fs::path> findKolektorSdd()
{
    const auto candidates = kolektorSddCandidates();
    const auto found = std::ranges::find_if(candidates, [](const fs::path& path) {
        std::error_code ignored;
        return fs::exists(path, ignored);
    });
    return found == candidates.end() ? std::nullopt : std::optional(*found);
}

MaskedDataSettings maskedSettings(const DatasetRequest& request)
{
    MaskedDataSettings settings = request.masked;
    settings.seed = request.seed;
    return settings;
}

EncodedDataSettings encodedSettings(const DatasetRequest& request)
{
    EncodedDataSettings settings = request.encoded;
    settings.rules.seed = request.seed;
    return settings;
}

constexpr std::array kDescriptions{
    DatasetDescription{
        .name = "cifar10",
        .description =
            "CIFAR-10: 60,000 photographs of ten kinds of things, 32 × 32, binary layout",
        .needsFolder = true},
    DatasetDescription{
        .name = "synthetic",
        .description = "pictures of ten kinds of drawn shapes, 32 × 32, generated from the seed",
        .isSeeded = true},
    DatasetDescription{
        .name = "kolektorsdd",
        .description =
            "KolektorSDD: grey photographs of surfaces, some with marked defects, folder "
            "or zip",
        .needsFolder = true,
        .hasMasks = true,
        .hasFolds = true,
        .isSeeded = true},
    DatasetDescription{
        .name = "synthetic_defects",
        .description = "grey surfaces, half of them with a marked crack, 256 × 128, generated from "
                       "the seed",
        .hasMasks = true,
        .isSeeded = true},
    DatasetDescription{
        .name = "image_folder",
        .description = "photographs of any size, JPEG or PNG, in a folder for each class, in train "
                       "and val or all together, or named with their classes in a CSV table",
        .needsFolder = true,
        .isEncoded = true,
        .isSeeded = true},
    DatasetDescription{
        .name = "tfrecord",
        .description = "photographs of any size in TFRecord files, as Inception's trainer reads "
                       "ImageNet",
        .needsFolder = true,
        .isEncoded = true},
    DatasetDescription{
        .name = "masked_folder",
        .description = "grey photographs with masks beside them (_mask, _label, _GT) or in a "
                       "folder of their own, as KolektorSDD2 and MVTec AD have them, folder or zip",
        .needsFolder = true,
        .hasMasks = true,
        .hasFolds = true,
        .isSeeded = true}};

const std::array kEntries{
    Entry{
        .open = [](const DatasetRequest& request, Split split,
                   const LoadProgress&) { return openCifar10(request.path, split); },
        .candidates = cifar10Candidates,
        .find = [] { return findCifar10(); },
        .howToGet = "get it with 'lockstep-train download cifar10 --data DIR'"},
    Entry{
        .open = [](const DatasetRequest& request, Split split,
                   const LoadProgress&) { return openSynthetic(split, request.seed); }},
    Entry{
        .open =
            [](const DatasetRequest& request, Split split, const LoadProgress& progress) {
                return openKolektorSdd(request.path, split, maskedSettings(request), progress);
            },
        .candidates = kolektorSddCandidates,
        .find = findKolektorSdd,
        .howToGet = "get it from https://www.vicos.si/resources/kolektorsdd/ (for non-commercial "
                    "use)"},
    Entry{
        .open =
            [](const DatasetRequest& request, Split split, const LoadProgress&) {
                return openSyntheticDefects(
                    split, {request.seed, defaultDefectExamples(split), request.masked.dilation});
            }},
    Entry{
        .open =
            [](const DatasetRequest& request, Split split, const LoadProgress& progress) {
                return std::unique_ptr<Dataset>(
                    openImageFolder(request.path, split, encodedSettings(request), progress));
            },
        .howToGet = "it holds CLASS/IMAGE.JPEG, or train/CLASS/IMAGE.JPEG and "
                    "val/CLASS/IMAGE.JPEG"},
    Entry{
        .open =
            [](const DatasetRequest& request, Split split, const LoadProgress& progress) {
                return std::unique_ptr<Dataset>(
                    openTfRecords(request.path, split, request.encoded, progress));
            },
        .howToGet = "its files are named by dataset.pattern"},
    Entry{
        .open =
            [](const DatasetRequest& request, Split split, const LoadProgress& progress) {
                return openMaskedImages(
                    request.name, request.path, split, maskedSettings(request), progress);
            },
        .howToGet = "it holds images/NAME.JPG and masks/NAME.PNG, for example"}};

static_assert(kEntries.size() == kDescriptions.size());

constexpr DatasetDescription kOfProgram{.name = kProgramDatasets, .description = {}};

const Entry& entryOf(const DatasetDescription& description)
{
    return kEntries[static_cast<std::size_t>(&description - kDescriptions.data())];
}

std::string joined(const std::vector<fs::path>& paths)
{
    std::vector<std::string> names;
    std::ranges::transform(
        paths, std::back_inserter(names), [](const fs::path& path) { return path.string(); });
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::span<const DatasetDescription> datasetCatalog()
{
    return kDescriptions;
}

const DatasetDescription& describeDataset(std::string_view name)
{
    if (name.starts_with(kProgramDatasets)) {
        return kOfProgram;
    }
    const auto* found = std::ranges::find(kDescriptions, name, &DatasetDescription::name);
    if (found == kDescriptions.end()) {
        std::vector<std::string_view> names;
        std::ranges::transform(kDescriptions, std::back_inserter(names), &DatasetDescription::name);
        fail(
            ErrorCode::BadInput, "unknown data set '{}'; choose one of: {}", name,
            fmt::join(names, ", "));
    }
    return *found;
}

fs::path datasetFolder(std::string_view name, const fs::path& path)
{
    const auto& description = describeDataset(name);
    if (!description.needsFolder) {
        return {};
    }
    if (!path.empty()) {
        return path;
    }
    const Entry& entry = entryOf(description);
    const auto found = entry.find();
    if (!found && entry.candidates().empty()) {
        fail(
            ErrorCode::BadInput,
            "data set '{}': no folder is given (--data DIR or dataset.path); {}", name,
            entry.howToGet);
    }
    if (!found) {
        fail(
            ErrorCode::BadInput,
            "data set '{}': no folder is given (--data DIR or dataset.path) and it is in none of "
            "{}; {}",
            name, joined(entry.candidates()), entry.howToGet);
    }
    return *found;
}

std::unique_ptr<Dataset> openDataset(
    const DatasetRequest& request, Split split, const LoadProgress& progress)
{
    if (request.name.starts_with(kProgramDatasets)) {
        fail(
            ErrorCode::BadInput,
            "data set '{}' is made by the program that trained with it: only that program can go "
            "on with the run, or test on the data",
            request.name);
    }
    DatasetRequest found = request;
    found.path = datasetFolder(request.name, request.path);
    return entryOf(describeDataset(request.name)).open(found, split, progress);
}

fs::path standardDatasetsFolder()
{
    return userFolder("XDG_DATA_HOME", ".local/share") / "lockstep" / "datasets";
}

std::vector<fs::path> cifar10Candidates()
{
    return {standardDatasetsFolder(), ".", "/tmp/cifar10_data"};
}

std::optional<fs::path> findCifar10(std::span<const fs::path> candidates)
{
    const auto found = std::find_if(candidates.begin(), candidates.end(), looksLikeCifar10);
    return found == candidates.end() ? std::nullopt : std::optional(locateCifar10(*found));
}

std::optional<fs::path> findCifar10()
{
    return findCifar10(cifar10Candidates());
}

std::vector<fs::path> kolektorSddCandidates()
{
    std::vector<fs::path> candidates;
    for (const fs::path& place : {standardDatasetsFolder(), fs::path(".")}) {
        candidates.push_back(place / "KolektorSDD");
        candidates.push_back(place / "KolektorSDD.zip");
    }
    return candidates;
}

} // namespace lockstep
