// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/data_account.h"
#include "dataset/files/file_tree.h"
#include "dataset/layouts/split_rules.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// An image and the file that says which of its pixels are marked.
struct ImagePair
{
    std::string item;             ///< what it shows, which other images may show, too: "kos01"
    std::string name;             ///< "kos01/Part5"
    std::string image;            ///< as FileTree names it
    std::string label;            ///< empty: nothing of the image is marked
    std::optional<DataPart> part; ///< that the folders say it belongs to
};

struct ImagePairs
{
    std::vector<ImagePair> pairs; ///< in the order of their names
    std::string layout;           ///< where the labels were found, for people
    DataAccount account;          ///< of the files that were left out
};

/// Finds the pairs of a tree of files that end as JPEG, PNG and BMP do; others are left out, and
/// counted by their endings. A label has the name of its image and
///
/// - lies beside it with `_label`, `_mask` or `_GT` (in any case) at the end of the name, as
///   KolektorSDD (kos01/Part5.jpg, kos01/Part5_label.bmp) and KolektorSDD2 have it; or
/// - lies in a folder `masks`, `labels`, `annotations`, `gt` or `ground_truth` beside the images
///   or their folder (`images`, `imgs`), below which the folders are the same; or
/// - below `ground_truth` as the image below `test`, as in MVTec AD (test/crack/007.png,
///   ground_truth/crack/007_mask.png); images in folders `good` have none there.
///
/// Folders `train`, `val` and `test` (dataPartOf) say the part. Without them the images of one
/// folder, named alone ("kos01"), are an item, as long as there are several such folders; else each
/// image is one. Throws Error(Data) that names the file for an image without a label, a label
/// without an image, one of the two in another format, two images or labels of one name and two
/// items of one name; Error(BadInput) if there is no image at all.
ImagePairs findImagePairs(const FileTree& tree);

} // namespace lockstep
