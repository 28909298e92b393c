// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QRectF>
#include <QSize>

namespace lockstep::ui {

/// Where the parts of a chart stand, in pixels of the widget. A low chart gets narrower margins,
/// and gives up what can be read elsewhere, for its curves.
struct PlotLayout
{
    QRectF header; ///< title, current values, legend
    QRectF notes;  ///< names of other runs, status; empty where the chart is too low for it
    QRectF area;   ///< of the curves; on whole pixels, so that columns are

    [[nodiscard]] bool hasNotes() const { return !notes.isEmpty(); }
};

struct PlotFonts
{
    QFont header;
    QFont axis;
};

/// Somewhat smaller than that of the chart.
QFont axisFont(const QFont& chart);

/// In pixels, between an axis and its labels.
constexpr double kLabelsFromAxis = 6.0;

/// What there has to be room for.
struct PlotRoom
{
    bool hasPins = true;
    bool hasXLabels = true;
};

/// The area's left edge is the same in all charts of a window, whatever their labels, so that steps
/// stand above each other.
PlotLayout plotLayout(QSize size, const PlotFonts& fonts, const PlotRoom& room);

} // namespace lockstep::ui
