// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QString>

namespace lockstep {
struct BarrierSummary;
}

namespace lockstep::ui {

/// "14 %", "0.3 %".
QString shareText(double share);

/// What the barrier clock says of a window of steps, in one or more sentences: who makes everyone
/// wait and what it costs, else how far apart the towers arrive; turns; waiting for data. Empty for
/// a window without steps.
QString barrierSentences(const BarrierSummary& summary);
/// Whether somebody makes the others wait.
Judgement barrierJudgement(const BarrierSummary& summary);

} // namespace lockstep::ui
