// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bench.h"

#include <QDateTime>

#include <optional>

class QSettings;

namespace lockstep::ui {

/// What the scaling ruler found, and when.
struct KeptScaling
{
    ScalingReport report;
    QDateTime time;
};

/// Keeps the newest result of this machine: settings may lie in a home folder that several machines
/// share, so each has its own, by its name.
void keepScaling(QSettings& settings, const KeptScaling& result);

/// Nothing where this machine has none, or one that can't be read any more.
std::optional<KeptScaling> keptScaling(const QSettings& settings);

/// The share of the processors that is in use; negative: unknown. Looks for a moment: any thread.
double loadOfProcessors();

} // namespace lockstep::ui
