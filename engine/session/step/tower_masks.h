// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "dataset/examples/dataset.h"
#include "input/batch.h"
#include "metrics/mask_record.h"
#include "network/network_spec.h"
#include "tower/tower_team.h"

#include <span>

namespace lockstep {

/// Of a tower with a larger batch, the first ones.
inline constexpr std::int64_t kMostMaskImages = 4;

/// What the towers, which have just made a pass over `batch`, predicted for its first images: the
/// outputs of that pass. Neither step nor losses are filled in.
MaskRecord masksOf(
    const TowerTeam& team, const NetworkSpec& network, const Batch& batch, const Dataset& dataset);

/// The losses of that pass, each sum divided by the tower's examples.
void addLosses(
    const NetworkSpec& network, std::span<const TowerResult> results, double weightDecayLoss,
    MaskRecord& masks);

} // namespace lockstep
