// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include <span>

namespace lockstep {
struct Shape;
}

namespace lockstep::ui {

/// The picture with a line around what is marked on it: around the cells of the mask that have at
/// least half of its greatest value, as the network is told. The same picture where nothing is.
QImage withMaskOutline(const QImage& image, std::span<const float> mask, const Shape& maskShape);

} // namespace lockstep::ui
