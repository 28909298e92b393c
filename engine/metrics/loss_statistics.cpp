// SPDX-License-Identifier: Apache-2.0
#include "metrics/loss_statistics.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace lockstep {
namespace {

template<class Losses>
double meanOf(const Losses& losses)
{
    double sum = 0.0;
    for (const double loss : losses) {
        sum += loss;
    }
    return sum / static_cast<double>(std::ranges::size(losses));
}

template<class Losses>
std::optional<double> varianceOf(const Losses& losses, double mean)
{
    if (std::ranges::size(losses) < 2) {
        return std::nullopt;
    }
    double squares = 0.0;
    for (const double loss : losses) {
        squares += (loss - mean) * (loss - mean);
    }
    return squares / static_cast<double>(std::ranges::size(losses) - 1);
}

template<class Losses>
LossStatistics statisticsOf(const Losses& losses)
{
    require(!std::ranges::empty(losses), "loss statistics need at least one tower");
    const double mean = meanOf(losses);
    const auto [minimum, maximum] = std::ranges::minmax(losses);
    // Comparisons with not-a-number are false, so minmax may pass over one.
    const auto bad = std::ranges::find_if(losses, [](double loss) { return std::isnan(loss); });
    const bool isBad = bad != std::ranges::end(losses);
    return {
        mean, *std::ranges::prev(std::ranges::end(losses)), isBad ? *bad : minimum,
        isBad ? *bad : maximum, varianceOf(losses, mean)};
}

} // namespace

LossStatistics lossStatistics(std::span<const double> losses)
{
    return statisticsOf(losses);
}

LossStatistics lossStatistics(std::span<const TowerRecord> towers)
{
    return statisticsOf(towers | std::views::transform(&TowerRecord::loss));
}

} // namespace lockstep
