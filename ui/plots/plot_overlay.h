// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/overlay_series.h"

#include <QString>

namespace lockstep::ui {

/// Another run behind the one that a chart shows. The series must outlive the chart's use of it.
struct PlotOverlay
{
    QString name;
    int color = 0; ///< for overlayColor()
    const OverlaySeries* series = nullptr;
};

} // namespace lockstep::ui
