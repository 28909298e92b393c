// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/tower_colors.h"

class QPoint;
class QWidget;

namespace lockstep::ui {

/// Opens a menu in which a person chooses a colour, or the usual one again. Nothing waits for it,
/// nor for the dialog of colours, which is a child of `parent`.
void openColorMenu(ColorOwner owner, const QPoint& globalPosition, QWidget& parent);

/// Makes every widget of the program look its colours up again, as it does after a change of the
/// palette.
void tellOfColors();

} // namespace lockstep::ui
