// SPDX-License-Identifier: Apache-2.0
#include "dataset/catalog.h"

#include "base/error.h"
#include "dataset/cifar10.h"
#include "dataset/synthetic.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// What the catalogue knows of a data set beyond what it shows.
struct Entry
{
    std::unique_ptr<Dataset> (*open)(const fs::path& folder, Split split, std::uint64_t seed);
    std::optional<fs::path> (*find)();
};

constexpr std::array kDescriptions{
    DatasetDescription{
        "cifar10", "CIFAR-10: 60,000 photographs of ten kinds of things, 32 x 32, binary layout",
        true},
    DatasetDescription{
        "synthetic", "pictures of ten kinds of drawn shapes, 32 x 32, generated from the seed",
        false}};

const std::array kEntries{
    Entry{
        [](const fs::path& folder, Split split, std::uint64_t) {
            return openCifar10(folder, split);
        },
        [] { return findCifar10(); }},
    Entry{
        [](const fs::path&, Split split, std::uint64_t seed) { return openSynthetic(split, seed); },
        [] { return std::optional<fs::path>(); }}};

static_assert(kEntries.size() == kDescriptions.size());

const Entry& entryOf(const DatasetDescription& description)
{
    return kEntries[static_cast<std::size_t>(&description - kDescriptions.data())];
}

/// The value of an environment variable if it is an absolute path, as the specification wants it.
fs::path absolutePathFrom(const char* variable)
{
    const char* value = std::getenv(variable);
    const fs::path path(value != nullptr ? value : "");
    return path.is_absolute() ? path : fs::path();
}

std::string joined(const std::vector<fs::path>& paths)
{
    std::vector<std::string> names;
    std::transform(paths.begin(), paths.end(), std::back_inserter(names), [](const fs::path& path) {
        return path.string();
    });
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::span<const DatasetDescription> datasetCatalog()
{
    return kDescriptions;
}

const DatasetDescription& describeDataset(std::string_view name)
{
    const auto* found = std::find_if(
        kDescriptions.begin(), kDescriptions.end(),
        [&](const DatasetDescription& description) { return description.name == name; });
    if (found == kDescriptions.end()) {
        std::vector<std::string_view> known;
        known.reserve(kDescriptions.size());
        for (const auto& description : kDescriptions) {
            known.push_back(description.name);
        }
        fail(
            ErrorCode::BadInput, "there is no data set '{}'; there are: {}", name,
            fmt::join(known, ", "));
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
    const auto found = entryOf(description).find();
    if (!found) {
        fail(
            ErrorCode::BadInput,
            "data set '{}': no folder is given (--data DIR or dataset.path) and it is in none of "
            "{}; "
            "get it with 'lockstep-train download {} --data DIR'",
            name, joined(cifar10Candidates()), name);
    }
    return *found;
}

std::unique_ptr<Dataset> openDataset(
    std::string_view name, const fs::path& path, Split split, std::uint64_t seed)
{
    return entryOf(describeDataset(name)).open(datasetFolder(name, path), split, seed);
}

fs::path standardDatasetsFolder()
{
    fs::path home = absolutePathFrom("XDG_DATA_HOME");
    if (home.empty()) {
        home = absolutePathFrom("HOME") / ".local" / "share";
    }
    return home / "lockstep" / "datasets";
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

} // namespace lockstep
