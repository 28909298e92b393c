// SPDX-License-Identifier: GPL-3.0-or-later
// What lockstep-train recorded for the start page: resources/start, whose README.md has the
// commands.
#pragma once

#include "engine/records.h"
#include "panels/shared/row_painting.h"

#include <QImage>
#include <QString>

#include <vector>

namespace lockstep::ui {

/// The run that the start page plays. Takes a few milliseconds.
std::vector<StepRecord> demonstrationSteps();

/// The little curves of a preset, those of the same step beside each other; the second one, where
/// there is one, is of a tower that leaves the others. Empty where none were recorded.
std::vector<std::vector<SmallCurvePoint>> curvesOfPreset(const QString& preset);

/// Generated surfaces with the cracks that are marked in them, `count` beside each other, each
/// turned to twice as wide as high.
QImage defectPictures(int count);

} // namespace lockstep::ui
