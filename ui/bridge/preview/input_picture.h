// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include <optional>
#include <span>

namespace lockstep {
struct ColourImage;
struct PixelValues;
struct Shape;
} // namespace lockstep

namespace lockstep::ui {

/// The network's input values of one image, row, column, channel, as a picture: black and white are
/// the values of those bytes, what lies beyond is cut off, what is no number is black. Without such
/// values, as after standardisation, the image's least value becomes black and its greatest white.
/// Of three channels they are red, green and blue; of fewer the first is grey.
QImage inputPicture(
    std::span<const float> values, const Shape& shape, const std::optional<PixelValues>& known);

/// The picture of a data set's image, scaled down where a side has more than `longest` pixels.
QImage originalPicture(const ColourImage& image, int longest);

} // namespace lockstep::ui
