// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/readers/scaling_store.h"
#include "models/figures/scaling_model.h"

#include <QString>

#include <vector>

namespace lockstep {
struct ScalingReport;
}

namespace lockstep::ui {

/// What was measured: "cifar10 on cpu, float32: 128 examples a step for each tower, 1 thread each".
QString scalingSubject(const ScalingReport& report);

/// What came out, for the most towers that could be measured: what they do, where the rest is lost,
/// what Amdahl's law makes of it, whether towers take turns, and which numbers were left out.
QString scalingSummary(const ScalingReport& report);

/// A word of caution where so much of the processors was in use before anything was measured; empty
/// where that is next to nothing.
QString othersText(double load);

/// The rows of the table.
std::vector<ScalingRow> scalingRows(const ScalingReport& report);

} // namespace lockstep::ui
