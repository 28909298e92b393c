// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/files/file_tree.h"

#include <string>
#include <vector>

namespace lockstep {

/// An image and the file that says which of its pixels are marked.
struct ImagePair
{
    std::string item;  ///< name of the folder that holds both: "kos01"
    std::string name;  ///< "kos01/Part5"
    std::string image; ///< as FileTree names it
    std::string label;
};

/// Finds the pairs of a tree: `ITEM/NAME.jpg` (or .jpeg, .png, .bmp) with `ITEM/NAME_label.bmp` (or
/// .png) beside it, in the order of their names. Folders above an item's don't count; other files
/// are left out. Throws Error(Data) that names the file for an image without a label, a label
/// without an image, two images or labels of one name, an image in no item's folder and two items
/// of one name; Error(BadInput) if there is no image at all.
std::vector<ImagePair> findImagePairs(const FileTree& tree);

} // namespace lockstep
