// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/encoded_dataset.h"
#include "dataset/examples/load_progress.h"
#include "dataset/formats/encoded_data_settings.h"

#include <filesystem>
#include <memory>

namespace lockstep {

/// Opens one split of photographs in a folder for each class, as ImageNet comes: `train/CLASS/NAME`
/// and, for the test split, `val/CLASS/NAME`, where files end in .jpg, .jpeg or .png (in any case).
/// The classes are the names of the folders, sorted, and label i is the i-th; with
/// EncodedDataSettings::hasBackground class 0 is "background", which no image has, and the folders'
/// come after it. Examples come class by class in the order of the files' names. Hidden files and
/// folders are left out.
///
/// Images stay on disk (EncodedDataset): of each, its name, label and size are kept, about a
/// hundred bytes. When it is opened, the header of each file is read, on all processors; with
/// DamagedImages::Skip each image is decoded once as a whole, which takes about a thousand times as
/// long, but finds every damaged one, and those are left out.
///
/// Throws Error(BadInput) for a folder that is not there or has no `train` or no `val`, and for
/// classes that only one of the two has, naming them; Error(Data) for no images, and, with
/// DamagedImages::Refuse, for an image whose header is damaged, naming the file; Error(Io) where
/// the system refuses to read; Error(Cancelled) if `progress` says no.
std::unique_ptr<EncodedDataset> openImageFolder(
    const std::filesystem::path& folder, Split split, const EncodedDataSettings& settings,
    const LoadProgress& progress = {});

} // namespace lockstep
