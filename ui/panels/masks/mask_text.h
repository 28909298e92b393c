// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/session_controller.h"

#include <QString>

namespace lockstep {
struct ImageMasks;
struct TowerMasks;
} // namespace lockstep

namespace lockstep::ui {

/// Where a predicted mask is surest.
struct MaskPeak
{
    float probability = 0.0F;
    bool isInLabel = false; ///< the label that was trained on is marked there
};
MaskPeak peakOf(const ImageMasks& image);

/// "part 12": the data set's name of it, or its number.
QString maskTitle(const ImageMasks& image);
/// "defective, score 0.93", and "peak 0.87, in the label": what is told below a picture.
QString classText(const ImageMasks& image);
QString peakText(const ImageMasks& image);
/// "Loss 0.41: segmentation 0.12, decision 0.29".
QString towerLossText(const TowerMasks& tower);

/// Why a run shows no masks, now or ever; what can be done. `hasMasks`: its network predicts them.
/// `device` is the first tower's, "cpu"; empty: not known yet.
QString noMasksText(
    bool hasMasks, SessionController::State state, const QString& device, bool isLive);

} // namespace lockstep::ui
