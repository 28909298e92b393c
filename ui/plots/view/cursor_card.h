// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/axes/number_text.h"
#include "plots/curves/curve.h"
#include "plots/parts/hover_card.h"

#include <vector>

namespace lockstep::ui {

/// Where the cross-hair stands.
struct CursorPlace
{
    Moment moment;
    XAxis axis = XAxis::Step;
};

/// What the curves' values are there.
HoverCard cursorCard(
    const std::vector<Curve>& curves, const CursorPlace& place, const ValueFormat& format,
    const ThemeColors& theme);

} // namespace lockstep::ui
