// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "input/batch.h"
#include "network/network_spec.h"
#include "tower/placement.h"

#include <cstdint>
#include <vector>

namespace lockstep {

/// The shape of data parallelism: global batch = towers x batchPerTower. A tower goes over its
/// batch in so many passes of equal size, one after the other, whose gradients it adds up.
struct TowerShape
{
    int towers = 1;
    int threadsPerTower = 1;
    std::int64_t batchPerTower = 0;
    int passes = 1;

    [[nodiscard]] std::int64_t rowsPerPass() const { return batchPerTower / passes; }
    [[nodiscard]] std::int64_t globalBatch() const { return towers * batchPerTower; }
};

/// The share of a tower's pass that one thread works on; threads beyond the lanes are used inside
/// the lanes' ops.
struct Lane
{
    int tower = 0;
    std::int64_t firstRow = 0; ///< in the global batch
    std::int64_t rows = 0;
    int threads = 1; ///< for each of its ops
    int worker = 0;  ///< thread of the team that runs it
};

/// Lanes of each tower: min(threads, rows of a pass), but one where a normalisation needs the
/// moments of all its rows.
int lanesPerTower(const NetworkSpec& network, const TowerShape& shape);

/// The lanes of these towers in their first pass, tower by tower, row by row. At most `workers` run
/// at once; where there are more lanes, worker w takes lanes w, w + workers, … in turn.
std::vector<Lane> planLanes(
    const TowerShape& shape, const TowerRange& towers, int lanesPerTower, int workers);

/// The rows of a lane in a global batch, or in a part of it that has them.
BatchSlice slice(const Batch& batch, const Lane& lane);

} // namespace lockstep
