// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"
#include "plots/axes/number_text.h"

#include <vector>

namespace lockstep::ui {

/// A line of the grid, with its label.
struct Tick
{
    double value = 0.0;
    QString label;
};

/// The least of 1, 2, 5 times a power of ten that is not below `least`.
double niceStep(double least);

/// Multiples of a nice step within [first, last], at most `most` of them (at least two steps apart
/// where the range allows).
std::vector<Tick> linearTicks(double first, double last, int most, const ValueFormat& format);
/// Powers of ten within [first, last], both above 0, with their 2 and 5 fold where there is room;
/// multiples of a nice step where the range is shorter than that, or has one of these only.
std::vector<Tick> logarithmicTicks(double first, double last, int most, const ValueFormat& format);
/// Whole steps and examples, epochs, or round times. On a logarithmic axis, with both ends above 0:
/// powers of ten, of times those of seconds, minutes, hours and days, with their 2 and 5 fold where
/// there is room.
std::vector<Tick> xTicks(XAxis axis, double first, double last, int most, bool isLogarithmic);

/// The distance between the ticks that xTicks() would give on an axis that is not logarithmic.
double xTickStep(XAxis axis, double span, int most);

} // namespace lockstep::ui
