// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/overlay_series.h"

#include <QString>

namespace lockstep::ui {

/// Another run behind the one that a chart shows, or a part of that run that it has left behind.
/// The series must outlive the chart's use of it.
struct PlotOverlay
{
    QString name;
    int color = 0; ///< for overlayColor()
    const OverlaySeries* series = nullptr;
    /// Steps that the run itself has left behind: grey, whatever the colour.
    bool isAbandoned = false;
    /// It trained something else.
    bool isForeign = false;
};

} // namespace lockstep::ui
