// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/runs/run_row.h"

#include <QVariant>

namespace lockstep::ui {

/// What a run says in a column of RunTableModel: as text in the user's locale, and as the value
/// that sorts it; nothing where it is not known.
QString runText(const RunRow& run, int column);
QVariant runValue(const RunRow& run, int column);

} // namespace lockstep::ui
