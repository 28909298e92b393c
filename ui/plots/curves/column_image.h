// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>

#include <vector>

namespace lockstep::ui {

/// One curve as vertical strokes, one for each column of an image: rows [top, end).
struct ColumnLayer
{
    struct Stroke
    {
        int top = 0;
        int end = 0;
    };
    std::vector<Stroke> strokes; ///< one for each column, none where top >= end
    QColor color;                ///< with its opacity
};

/// Paints the layers over each other, the first lowest. A pixel is written once, however many
/// layers cover it: opacities are put together per stretch, not per pixel, so that the time depends
/// little on the number of curves. Any thread.
void paintColumns(QImage& image, const std::vector<ColumnLayer>& layers);

} // namespace lockstep::ui
