// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"

#include <QRectF>

#include <cmath>
#include <limits>

namespace lockstep::ui {

/// How far along an axis a position lies: as far as it says, or as its logarithm. On a logarithmic
/// axis 0 and what is below it lie infinitely far to the left.
struct AxisTransform
{
    bool isLogarithmic = false;

    [[nodiscard]] double toLength(double position) const
    {
        if (!isLogarithmic) {
            return position;
        }
        return position > 0.0 ? std::log(position) : -std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] double toPosition(double length) const
    {
        return isLogarithmic ? std::exp(length) : length;
    }
};

/// Where on a chart a value lies: the plot area in device-independent pixels and what its edges
/// stand for.
struct PlotScale
{
    QRectF area;
    XAxis axis = XAxis::Step;
    double first = 0.0; ///< above 0 if isXLogarithmic
    double last = 1.0;
    double bottom = 0.0; ///< above 0 if isLogarithmic
    double top = 1.0;
    bool isLogarithmic = false; ///< the y axis
    bool isXLogarithmic = false;

    /// Of any position, kept within a few widths of the area. On a logarithmic axis a position of 0
    /// or less is left of the area.
    [[nodiscard]] double pixelX(double position) const;
    [[nodiscard]] double positionAtPixel(double x) const;
    /// A position as a share of the area's width, and back.
    [[nodiscard]] double shareOf(double position) const;
    [[nodiscard]] double positionAt(double share) const;
    /// Of any value, kept within a few heights of the area, so that no painter is asked for the
    /// impossible. On a logarithmic scale a value of 0 or less is below the area.
    [[nodiscard]] double pixelY(double value) const;
    [[nodiscard]] double valueAtPixel(double y) const;
};

} // namespace lockstep::ui
