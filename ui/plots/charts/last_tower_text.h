// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QString>

namespace lockstep::ui {

class RunSeries;

/// What the last tower's loss, which the classic scripts print, made of the truth: sentences about
/// a run of two towers or more that has steps. Each is parts with " · " between them, the most
/// telling first.

/// How far off it was, and whether its data are like the others'.
QString biasText(const RunSeries& run);
Judgement biasJudgement(const RunSeries& run);
/// How the towers' losses vary, against what independent batches would.
QString variationText(const RunSeries& run);
Judgement variationJudgement(const RunSeries& run);
/// Where early stopping would have ended the run, by the last tower's loss and by the mean.
QString patienceText(const RunSeries& run);
/// What a check for NaN of the last tower alone misses.
QString missedFaultText(int towers);

/// A ratio as a difference in per cent: "+0.3 %".
QString signedPercent(double share);

} // namespace lockstep::ui
