// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/gradient_figures.h"

#include <QString>

namespace lockstep {
class GradientNoiseScale;
struct OutlyingTower;
struct RunConfig;
} // namespace lockstep

namespace lockstep::ui {

/// The gradient noise scale, and what it says of the global batch.
QString noiseScaleText(const GradientNoiseScale& noiseScale, qint64 globalBatch);

/// Names the tower that disagrees with the others.
QString outlierText(const OutlyingTower& outlier);

/// Why there is nothing to see: of a run that measures, that it is yet to come.
QString unmeasuredText(const RunConfig& config);

/// What the figures mean, for a tool tip.
QString gradientHelp();

} // namespace lockstep::ui
