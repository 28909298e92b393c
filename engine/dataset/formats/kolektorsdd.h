// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "dataset/examples/load_progress.h"
#include "dataset/formats/masked_data_settings.h"

#include <filesystem>
#include <memory>

namespace lockstep {

/// Reads one split of the Kolektor Surface-Defect Dataset (KolektorSDD; Tabernik, Sela, Skvarc,
/// Skocaj, "Segmentation-based deep-learning approach for surface-defect detection", 2019;
/// https://www.vicos.si/resources/kolektorsdd/), or data laid out like it, from a folder or from
/// its zip archive: grey images `kosNN/PartK.jpg`, each with `kosNN/PartK_label.bmp` beside it, in
/// which any value but 0 marks a defect. See findImagePairs, decodeGray and decodeMask for what is
/// taken. Examples come in the order of their names; labels are 0 "clean" and 1 "defective"
/// (anything is marked); marks are widened as `settings.dilation` says.
///
/// Images are decoded once, on all processors (at most eight), and stay in memory as bytes: 0.63 MB
/// each, 250 MB for all 399 of the original; masks of defective ones as much again. All labels are
/// read for the folds, images only those of the split.
///
/// `progress` is told, on one of these threads, the share that is done, 0 to 1, and returns whether
/// to go on; Error(Cancelled) if it says no. Throws what FileTree, findImagePairs, the decoders,
/// dealItems and readItemFolds throw; Error(Data) for a label of another size than its image, and
/// for a split without defective or without clean images, naming the fold; Error(BadInput) for
/// settings that can't be used.
std::unique_ptr<Dataset> openKolektorSdd(
    const std::filesystem::path& path, Split split, const MaskedDataSettings& settings,
    const LoadProgress& progress = {});

} // namespace lockstep
