// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

namespace lockstep::ui {

/// The colour of a tower, the same in every chart, table and bar. The first eight are those of
/// Okabe and Ito (Color Universal Design, 2008), which people with any colour vision tell apart, as
/// far towards the text's end as it takes to stand out from a card by 3:1; the next eight are the
/// same, paler. It starts over after sixteen.
QColor towerColor(int tower, const ThemeColors& theme);

} // namespace lockstep::ui
