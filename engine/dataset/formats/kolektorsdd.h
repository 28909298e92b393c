// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "dataset/examples/load_progress.h"
#include "dataset/examples/mask_survey.h"
#include "dataset/layouts/split_rules.h"

#include <cstdint>
#include <filesystem>
#include <memory>

namespace lockstep {

/// How a data set with masks is split and its masks are prepared.
struct MaskedDataSettings
{
    int folds = 3;                   ///< parts, by item, that are tested on in turn
    int fold = 0;                    ///< the one to test on; kNoFold: none is held back
    std::filesystem::path foldsFile; ///< see readItemFolds; empty: items are dealt
    int dilation = 5;                ///< of the marks, see kDilations
    std::uint64_t seed = 1;          ///< of the dealing, and of generated data
    /// Of the parts that the data's own folders set apart.
    DataPart tested = DataPart::Validation;
    PixelRules pixels = {}; ///< of images and masks
    int maskThreshold = 1;  ///< the least value of a mask, of 255, that marks
    MaskBackground maskBackground = MaskBackground::Auto;

    /// Every image is trained on and tested on; what a test then says is of no use for other
    /// images.
    static constexpr int kNoFold = -1;

    bool operator==(const MaskedDataSettings&) const = default;
    /// Throws Error(BadInput) that names the key.
    void validate() const;
};

/// Reads one split of grey images with masks from a folder or a zip archive, laid out as
/// findImagePairs() knows it; any value but 0 marks a defect, or what the settings say. See
/// decodeGray and decodeMask for what is taken, MaskSurvey for what is refused or told of the
/// masks. Examples come in the order of their names; labels are 0 "clean" and 1 "defective"
/// (anything is marked); marks are widened as `settings.dilation` says.
///
/// Folders train and test (or val) of the data are the splits, if something is marked in train.
/// Else items are dealt to folds, one of which is tested on.
///
/// Images are decoded once, on all processors (at most eight), and stay in memory as bytes: 0.63 MB
/// each of KolektorSDD, 250 MB for all 399; masks of defective ones as much again. All labels are
/// read for the folds, images only those of the split.
///
/// `progress` is told, on one of these threads, the share that is done, 0 to 1, and returns whether
/// to go on; Error(Cancelled) if it says no. Throws what FileTree, findImagePairs, the decoders,
/// dealItems and readItemFolds throw; Error(Data) for a label of another size than its image, masks
/// that look inverted, and a split without defective or without clean images, naming what helps;
/// Error(BadInput) for settings that can't be used, a fold of data with splits of their own among
/// them.
std::unique_ptr<Dataset> openMaskedImages(
    const std::string& name, const std::filesystem::path& path, Split split,
    const MaskedDataSettings& settings, const LoadProgress& progress = {});

/// The Kolektor Surface-Defect Dataset (KolektorSDD; Tabernik, Sela, Skvarc, Skocaj,
/// "Segmentation-based deep-learning approach for surface-defect detection", 2019;
/// https://www.vicos.si/resources/kolektorsdd/): `kosNN/PartK.jpg`, each with
/// `kosNN/PartK_label.bmp` beside it.
std::unique_ptr<Dataset> openKolektorSdd(
    const std::filesystem::path& path, Split split, const MaskedDataSettings& settings,
    const LoadProgress& progress = {});

} // namespace lockstep
