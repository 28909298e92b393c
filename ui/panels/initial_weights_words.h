// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine.h"

#include <QString>

namespace lockstep::ui {

/// What a new run of this configuration would take over from the checkpoint that it names, and
/// which tensors would begin anew, a line each; empty where it names none or nothing can be said.
/// Reads no more than the header of the file.
QString initialWeightsNote(const RunConfig& config);

} // namespace lockstep::ui
