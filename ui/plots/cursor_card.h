// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/curve.h"
#include "plots/hover_card.h"
#include "plots/number_text.h"

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
