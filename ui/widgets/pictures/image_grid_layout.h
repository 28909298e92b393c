// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QSize>

#include <vector>

namespace lockstep::ui {

/// What the layout of an image grid depends on. All lengths in device-independent pixels, except
/// for `imagePixels`.
struct ImageGridInput
{
    std::vector<int> groupSizes; ///< images of each group
    QSize imagePixels;           ///< of every image
    QSize room;                  ///< of the visible part
    double devicePixelRatio = 1.0;
    int headingWidth = 0; ///< left of a group's images
    int labelHeight = 0;  ///< below each image
    int labelWidth = 0;   ///< of the longest; some of it is room for
};

/// Where the parts of an image grid are. Groups lie below each other, each with its heading on the
/// left and its images in as many rows as it takes; beside each other where not all would be seen.
struct ImageGridLayout
{
    int scale = 1;    ///< screen pixels along an image's pixel: whole, so that all are alike; 0:
                      ///< images are shrunk
    QSizeF imageSize; ///< of one on the screen
    std::vector<QRect> groups; ///< heading and images
    std::vector<QRect> cells;  ///< image and label, in the order of the images; a cell may be wider
                               ///< than its image, which is in its middle
    int height = 0;            ///< of all
};

/// The largest images with which everything is visible, between a least and a most size; if there
/// are too many, they have the least size and scroll, with some of every group in sight where that
/// can be. Images beyond the most size are shrunk.
ImageGridLayout layOutImages(const ImageGridInput& input);

/// The nearest cell of the next row below (direction 1) or above (-1); the same where there is
/// none.
int cellInNextRow(const ImageGridLayout& layout, int index, int direction);

} // namespace lockstep::ui
