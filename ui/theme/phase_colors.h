// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "theme/palette.h"

#include <QBrush>

#include <array>

namespace lockstep::ui {

/// What a tower does in a step, in the order of time.
enum class StepPhase { Data, Turn, Copy, Forward, Backward, Barrier, Averaging, Update, Unknown };

inline constexpr std::array kStepPhases{
    StepPhase::Data,      StepPhase::Turn,     StepPhase::Copy,
    StepPhase::Forward,   StepPhase::Backward, StepPhase::Barrier,
    StepPhase::Averaging, StepPhase::Update,   StepPhase::Unknown};

/// How a phase is painted, the same in every bar and legend: work is solid, waiting is hatched, and
/// none looks like a tower. On the window's ground.
QBrush phaseBrush(StepPhase phase, const ThemeColors& theme);

} // namespace lockstep::ui
