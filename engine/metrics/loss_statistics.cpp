// SPDX-License-Identifier: Apache-2.0
#include "metrics/loss_statistics.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace lockstep {
namespace {

double meanOf(std::span<const double> losses)
{
    double sum = 0.0;
    for (const double loss : losses) {
        sum += loss;
    }
    return sum / static_cast<double>(losses.size());
}

std::optional<double> varianceOf(std::span<const double> losses, double mean)
{
    if (losses.size() < 2) {
        return std::nullopt;
    }
    double squares = 0.0;
    for (const double loss : losses) {
        squares += (loss - mean) * (loss - mean);
    }
    return squares / static_cast<double>(losses.size() - 1);
}

} // namespace

LossStatistics lossStatistics(std::span<const double> losses)
{
    require(!losses.empty(), "loss statistics need at least one tower");
    const double mean = meanOf(losses);
    const auto [minimum, maximum] = std::minmax_element(losses.begin(), losses.end());
    // Comparisons with not-a-number are false, so minmax_element may pass over one.
    const auto bad =
        std::find_if(losses.begin(), losses.end(), [](double loss) { return std::isnan(loss); });
    const bool isBad = bad != losses.end();
    return {
        mean, losses.back(), isBad ? *bad : *minimum, isBad ? *bad : *maximum,
        varianceOf(losses, mean)};
}

LossStatistics lossStatistics(std::span<const TowerRecord> towers)
{
    std::vector<double> losses;
    losses.reserve(towers.size());
    std::transform(
        towers.begin(), towers.end(), std::back_inserter(losses),
        [](const TowerRecord& tower) { return tower.loss; });
    return lossStatistics(losses);
}

} // namespace lockstep
