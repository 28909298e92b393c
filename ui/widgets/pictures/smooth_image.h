// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QPainter>
#include <QRectF>

namespace lockstep::ui {

/// Paints an image into a place; smoothly where it is shrunk, since what a painter does by itself
/// leaves out pixels.
inline void paintSmooth(QPainter& painter, const QRectF& place, const QImage& image)
{
    const QSize pixels = (place.size() * painter.device()->devicePixelRatioF()).toSize();
    const bool isShrunk = pixels.width() < image.width();
    painter.drawImage(
        place,
        isShrunk ? image.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation) : image);
}

} // namespace lockstep::ui
