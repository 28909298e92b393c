// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "dataset/examples/load_progress.h"
#include "dataset/formats/encoded_data_settings.h"
#include "dataset/formats/kolektorsdd.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

/// A data set that can be asked for by name: the value of the key `dataset.name`.
struct DatasetDescription
{
    std::string_view name;
    std::string_view description; ///< one line for a person
    bool needsFolder = false;     ///< whether it is read from files (`dataset.path`)
    bool hasMasks = false;        ///< DatasetInfo::hasMasks
    bool isEncoded = false;       ///< DatasetInfo::isEncoded
    bool hasFolds = false;        ///< dealt to folds by item, one of which is tested on
    bool isSeeded = false;        ///< the seed says what is drawn, or what is tested on
};

/// A data set by name and what it is opened with.
struct DatasetRequest
{
    std::string name;
    std::filesystem::path path = {};  ///< see datasetFolder
    std::uint64_t seed = 1;           ///< of generated data, and of what is tested on
    MaskedDataSettings masked = {};   ///< where the data set has masks; its seed is `seed`
    EncodedDataSettings encoded = {}; ///< where its images are encoded

    bool operator==(const DatasetRequest&) const = default;
};

/// All data sets, in the order in which they are offered.
[[nodiscard]] std::span<const DatasetDescription> datasetCatalog();

/// Begins the name of a data set that a program brings along (engine/api): "program:rings". It is
/// described as any other, so that what its runs have kept can be read, but only the program has
/// its examples.
inline constexpr std::string_view kProgramDatasets = "program:";

/// Throws Error(BadInput) that lists the known names for any other.
const DatasetDescription& describeDataset(std::string_view name);

/// The folder, or archive, that openDataset reads when given `path`: `path` itself, or, if that is
/// empty, where the data is found to lie already; empty for a data set without one. For keeping it
/// in the run's configuration. Throws Error(BadInput) for an unknown name and where nothing is
/// found.
std::filesystem::path datasetFolder(std::string_view name, const std::filesystem::path& path);

/// Opens a split of a data set by name, from datasetFolder(name, path). `progress` is told of
/// loading that may take seconds. Error(BadInput) for one of a program's. Throws what the data
/// set's own function throws, see cifar10.h, synthetic.h, kolektorsdd.h, synthetic_defects.h,
/// image_folder.h and tfrecord.h.
std::unique_ptr<Dataset> openDataset(
    const DatasetRequest& request, Split split, const LoadProgress& progress = {});

/// Where data sets are kept when nothing else is asked for: `$XDG_DATA_HOME/lockstep/datasets`,
/// with
/// `~/.local/share` for an unset $XDG_DATA_HOME (XDG Base Directory Specification).
[[nodiscard]] std::filesystem::path standardDatasetsFolder();

/// Where CIFAR-10 is looked for, in this order: standardDatasetsFolder(), the current folder, and
/// /tmp/cifar10_data, where the classic scripts put it.
[[nodiscard]] std::vector<std::filesystem::path> cifar10Candidates();

/// The folder with the files of the first candidate that looksLikeCifar10, if any.
[[nodiscard]] std::optional<std::filesystem::path> findCifar10();
[[nodiscard]] std::optional<std::filesystem::path> findCifar10(
    std::span<const std::filesystem::path> candidates);

/// Where KolektorSDD is looked for, in this order: the folder, then the archive as it is
/// downloaded, in standardDatasetsFolder() and in the current folder.
[[nodiscard]] std::vector<std::filesystem::path> kolektorSddCandidates();

} // namespace lockstep
