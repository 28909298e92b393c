// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/plot_scale.h"
#include "plots/curves/curve.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::ui {

/// The row of a curve that stands for its value at the cross-hair; -1 if it has none yet. Of the
/// run that is shown it is the newest one as of the step, of another run the one at that place of
/// the axis: its loss is a mean over stretches, its steps took another time.
std::int64_t rowAt(const Curve& curve, const Moment& moment, XAxis axis);

/// Whether that row is one of before: evaluations are made now and then, and another run may have
/// ended there.
bool isBefore(const Curve& curve, std::int64_t row, const Moment& moment, XAxis axis);

/// The tower whose line is within a few pixels of a height of the widget at that moment, and closer
/// than the mean's.
std::optional<int> towerNear(
    const std::vector<Curve>& curves, const PlotScale& scale, const Moment& moment, double y);

} // namespace lockstep::ui
