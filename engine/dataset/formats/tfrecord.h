// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/encoded_dataset.h"
#include "dataset/examples/load_progress.h"
#include "dataset/formats/encoded_data_settings.h"

#include <filesystem>
#include <memory>

namespace lockstep {

/// Opens one split of photographs in files of records (TFRecord shards), as Inception's trainer
/// reads them; see ImageRecord for the features and findRecordShards() for the files; records as
/// they lie.
///
/// The label of an example is that of its record plus `settings.labelOffset`; there are as many
/// classes as the highest one asks for, named by the text that most records of theirs have, else by
/// their number. A label of several texts is told.
///
/// Records stay on disk (EncodedDataset): of each, place and label are kept, 28 bytes. When it is
/// opened, all files are read once, on all processors, and all checksums verified, and again when a
/// record is read; the structure of each image is checked as well (checkStructure). What is damaged
/// is left out, as far as DamagedImages lets it pass; a record whose length is damaged takes the
/// rest of its file with it.
///
/// Throws what findRecordShards() throws; Error(BadInput) for a label that with the offset is not
/// from 0 to 99,999 (skipping or not); Error(Data) for no records and for
/// a damaged one, or more than pass, naming file and number (the first is 0); Error(Io) where the
/// system refuses to read; Error(Cancelled) if `progress` says no.
std::unique_ptr<EncodedDataset> openTfRecords(
    const std::filesystem::path& folder, Split split, const EncodedDataSettings& settings,
    const LoadProgress& progress = {});

} // namespace lockstep
