// SPDX-License-Identifier: Apache-2.0
#include "metrics/loss_statistics.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace lockstep {
namespace {

template<class Tower, class LossOf>
LossStatistics statisticsOf(std::span<const Tower> towers, const LossOf& lossOf)
{
    require(!towers.empty(), "loss statistics need at least one tower");
    double sum = 0.0;
    for (const Tower& tower : towers) {
        sum += lossOf(tower);
    }
    const double mean = sum / static_cast<double>(towers.size());
    double squares = 0.0;
    for (const Tower& tower : towers) {
        squares += (lossOf(tower) - mean) * (lossOf(tower) - mean);
    }
    const auto [least, most] = std::ranges::minmax_element(towers, {}, lossOf);
    // Comparisons with not-a-number are false, so minmax_element may pass over one.
    const auto isNan = [](double loss) { return std::isnan(loss); };
    const auto bad = std::ranges::find_if(towers, isNan, lossOf);
    const bool isBad = bad != towers.end();
    LossStatistics statistics{
        mean, lossOf(towers.back()), lossOf(isBad ? *bad : *least), lossOf(isBad ? *bad : *most),
        std::nullopt};
    if (towers.size() > 1) {
        statistics.variance = squares / static_cast<double>(towers.size() - 1);
    }
    return statistics;
}

} // namespace

LossStatistics lossStatistics(std::span<const double> losses)
{
    return statisticsOf(losses, std::identity());
}

LossStatistics lossStatistics(std::span<const TowerRecord> towers)
{
    return statisticsOf(towers, [](const TowerRecord& tower) { return tower.loss; });
}

} // namespace lockstep
