// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/cosine_history.h"
#include "plots/charts/line_plot.h"

#include <QString>

#include <vector>

namespace lockstep::ui {

/// A line for each tower, through the middle of each point of the history, with a stroke from its
/// least value to its greatest.
std::vector<LineCurve> cosineCurves(const CosineHistory& history);

/// The newest measured step's lowest cosine, and whose it is; empty where none is defined.
QString lowestCosineText(const CosineHistory& history);

} // namespace lockstep::ui
