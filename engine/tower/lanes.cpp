// SPDX-License-Identifier: Apache-2.0
#include "tower/lanes.h"

#include "base/error.h"

#include <algorithm>

namespace lockstep {

int lanesPerTower(const NetworkSpec& network, const TowerShape& shape)
{
    const bool mixesRows = std::ranges::any_of(network.layers, [](const Layer& layer) {
        const auto* norm = std::get_if<Normalization>(&layer.spec);
        return norm != nullptr
               && (norm->mode == NormalizationMode::Batch
                   || norm->mode == NormalizationMode::Synchronised);
    });
    return mixesRows ? 1
                     : static_cast<int>(
                         std::min<std::int64_t>(shape.threadsPerTower, shape.rowsPerPass()));
}

std::vector<Lane> planLanes(
    const TowerShape& shape, const TowerRange& towers, int lanesPerTower, int workers)
{
    require(
        towers.count > 0 && shape.threadsPerTower > 0 && shape.rowsPerPass() > 0
            && lanesPerTower > 0 && workers > 0,
        "towers, threads and batch must be at least 1");
    const std::int64_t rows = shape.rowsPerPass() / lanesPerTower;
    const std::int64_t withOneMore = shape.rowsPerPass() % lanesPerTower;
    std::vector<Lane> lanes;
    for (int tower = towers.first; tower < towers.first + towers.count; ++tower) {
        std::int64_t row = tower * shape.batchPerTower;
        for (int i = 0; i < lanesPerTower; ++i) {
            const std::int64_t count = rows + (i < withOneMore ? 1 : 0);
            const auto number = static_cast<int>(lanes.size());
            lanes.push_back(
                {tower, row, count, shape.threadsPerTower / lanesPerTower, number % workers});
            row += count;
        }
    }
    return lanes;
}

BatchSlice slice(const Batch& batch, const Lane& lane)
{
    const std::int64_t row = lane.firstRow - batch.firstRow;
    require(
        row >= 0 && row + lane.rows <= batch.examples, "a lane reaches beyond the global batch");
    const auto elements = static_cast<std::size_t>(batch.shape.elements());
    const auto maskElements =
        batch.maskShape ? static_cast<std::size_t>(batch.maskShape->elements()) : 0;
    const auto first = static_cast<std::size_t>(row);
    const auto rows = static_cast<std::size_t>(lane.rows);
    const std::span mixed(batch.mixed);
    return {
        std::span(batch.images).subspan(first * elements, rows * elements),
        std::span(batch.labels).subspan(first, rows),
        std::span(batch.masks).subspan(first * maskElements, rows * maskElements),
        batch.step,
        0,
        mixed.empty() ? mixed : mixed.subspan(first, rows)};
}

} // namespace lockstep
