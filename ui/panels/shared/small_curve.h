// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_row.h"

class QColor;
class QPainter;
class QRectF;

namespace lockstep::ui {

/// Paints a run's little curve so that it fills the area; nothing where it has no points.
void paintSmallCurve(
    QPainter& painter, const std::vector<SmallCurvePoint>& curve, const QRectF& area,
    const QColor& color);

} // namespace lockstep::ui
