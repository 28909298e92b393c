// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/batch.h"
#include "metrics/mask_record.h"
#include "session/step/stepper.h"
#include "tower/lanes.h"
#include "tower/replica.h"

#include <cstdint>

namespace lockstep {

/// Of a tower with a larger batch, the first ones.
inline constexpr std::int64_t kMostMaskImages = 4;

/// The masks of a step that was made of this batch, without their images yet.
MaskRecord masksOf(const StepperSettings& settings, const Batch& batch, const StepOutcome& outcome);

/// Adds the first images of the tower whose rows these are, with what the replica, which has just
/// made a pass over them, predicted. On the replica's thread, and no other for the same tower.
void addImages(
    const StepperSettings& settings, const Batch& batch, const Lane& rows, const Replica& replica,
    MaskRecord& masks);

} // namespace lockstep
