// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

namespace lockstep::ui {

/// The colour of a tower, the same in every chart, table and bar: those of Okabe and Ito (Color
/// Universal Design, 2008), which people with any colour vision tell apart. Their black is the
/// mean's, so that another blue takes its place; on a light card their yellow becomes a dark olive.
/// After eight come the same, paler; after sixteen it starts over.
QColor towerColor(int tower, const ThemeColors& theme);

/// The colour of a run that lies behind the one that is shown, 0 to 7: those of the towers, but
/// beginning with the ones that few runs have.
QColor overlayColor(int overlay, const ThemeColors& theme);

} // namespace lockstep::ui
