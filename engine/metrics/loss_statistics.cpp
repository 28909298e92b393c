// SPDX-License-Identifier: Apache-2.0
#include "metrics/loss_statistics.h"

#include "base/error.h"

namespace lockstep {

LossStatistics lossStatistics(std::span<const TowerRecord> towers)
{
    require(!towers.empty(), "loss statistics need at least one tower");
    double sum = 0.0;
    for (const TowerRecord& tower : towers) {
        sum += tower.loss;
    }
    return {sum / static_cast<double>(towers.size()), towers.back().loss};
}

} // namespace lockstep
