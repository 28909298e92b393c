// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/encoded_dataset.h"
#include "dataset/examples/load_progress.h"
#include "dataset/formats/encoded_data_settings.h"

#include <filesystem>
#include <memory>

namespace lockstep {

/// Opens one split of a person's own photographs: of a folder for each class, or of a table of
/// paths and labels, see findLabelledFiles(). Label i is the i-th class; with
/// EncodedDataSettings::hasBackground class 0 is "background", which no image has, and the others
/// come after it. Examples come class by class in the order of the files' names.
///
/// Images stay on disk (EncodedDataset): of each, its name, label and size are kept, about a
/// hundred bytes. When it is opened, each file is read and its structure checked (checkStructure),
/// on all processors; of more than 4 GiB only the headers are, and EncodedDataset::isChecked says
/// so. What is damaged is left out, as far as DamagedImages lets it pass.
///
/// Throws what findLabelledFiles() throws; Error(Data) for no images, and for a damaged one, or
/// more than pass, naming the file; Error(Io) where
/// the system refuses to read; Error(Cancelled) if `progress` says no.
std::unique_ptr<EncodedDataset> openImageFolder(
    const std::filesystem::path& place, Split split, const EncodedDataSettings& settings,
    const LoadProgress& progress = {});

} // namespace lockstep
