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
/// hundred bytes. When it is opened, the header of each file is read, on all processors; with
/// DamagedImages::Skip each image is decoded once as a whole, which takes about a thousand times as
/// long, but finds every damaged one, and those are left out.
///
/// Throws what findLabelledFiles() throws; Error(Data) for no images, and, with
/// DamagedImages::Refuse, for an image whose header is damaged, naming the file; Error(Io) where
/// the system refuses to read; Error(Cancelled) if `progress` says no.
std::unique_ptr<EncodedDataset> openImageFolder(
    const std::filesystem::path& place, Split split, const EncodedDataSettings& settings,
    const LoadProgress& progress = {});

} // namespace lockstep
