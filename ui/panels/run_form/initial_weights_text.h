// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockstep {
struct InitialWeights;
}

namespace lockstep::ui {

/// How much a run takes over of another training, and which tensors begin anew, a line each.
QString initialWeightsNote(const InitialWeights& initial);

} // namespace lockstep::ui
