// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data.h"

#include <QStringList>

#include <optional>

namespace lockstep::ui {

/// The part of an image that is cut out; none where the whole image is resized.
std::optional<CropBox> cropOf(const DrawnDistortion& drawn, const DistortionSettings& settings);

/// What befalls an image, in the order in which it is done, a line each: "crop 24 wide, 24 high,
/// from column 3, row 8", "mirrored left to right", "brightness +12.3 of 255 → contrast × 0.84".
/// What is switched off is left out.
QStringList distortionText(const DrawnDistortion& drawn, const DistortionSettings& settings);

} // namespace lockstep::ui
