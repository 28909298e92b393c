// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/preview/class_balance.h"

#include <QString>

namespace lockstep::ui {

/// How evenly the classes of both splits are filled, a line for each: "Train: 50,000 examples of 10
/// classes, 5,000 each"; "… the largest class (ship: 900) has 3.0 times as many as the smallest
/// (cat: 300)"; which classes have none; and that batches are balanced, where they are.
QString balanceText(const ClassBalance& balance);

} // namespace lockstep::ui
