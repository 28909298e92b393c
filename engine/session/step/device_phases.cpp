// SPDX-License-Identifier: Apache-2.0
#include "session/step/device_phases.h"

#include "base/clock.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep {
namespace {

double secondsBetween(std::int64_t begin, std::int64_t end)
{
    return kNanosecond * static_cast<double>(end - begin);
}

} // namespace

void DevicePhases::compareClocks(std::span<const TowerTimes> towers)
{
    if (m_devices == 1) {
        return;
    }
    std::vector<DeviceClocks::Sum> sums(m_devices);
    for (std::size_t bucket = 0; bucket < towers.front().ofDevice.sums.size(); ++bucket) {
        for (const TowerTimes& tower : towers) {
            const SumStamps& sum = tower.ofDevice.sums[bucket];
            sums[static_cast<std::size_t>(tower.device)] = {sum.begin, sum.end};
        }
        if (sums.front().end != 0) {
            m_clocks.add(sums);
        }
    }
}

void DevicePhases::tell(
    std::span<const TowerTimes> towers, std::int64_t end, double mostInput,
    StepOutcome& outcome) const
{
    const StepStamps& own = std::ranges::find(towers, m_first, &TowerTimes::device)->ofDevice;
    std::int64_t firstBegin = own.updateBegins;
    std::int64_t lastArrival = 0;
    for (const TowerTimes& tower : towers) {
        firstBegin = std::min(firstBegin, onReference(tower, tower.tower.begin));
        lastArrival = std::max(lastArrival, onReference(tower, tower.tower.arrival));
    }
    // The clocks may be a little apart still, but no update begins before the last arrival.
    lastArrival = std::min(lastArrival, own.updateBegins);
    const std::int64_t begin = end - std::llround(outcome.seconds / kNanosecond);
    outcome.inputSeconds = std::clamp(secondsBetween(begin, firstBegin), 0.0, mostInput);
    const std::int64_t batchThere = begin + std::llround(outcome.inputSeconds / kNanosecond);
    for (std::size_t i = 0; i < towers.size(); ++i) {
        const TowerStamps& stamps = towers[i].tower;
        const double passes = secondsBetween(stamps.begin, stamps.arrival);
        const double forward =
            std::min(passes, m_passes * secondsBetween(stamps.begin, stamps.afterForward));
        outcome.towers[i].seconds = {
            std::max(0.0, secondsBetween(batchThere, onReference(towers[i], stamps.begin))), 0.0,
            forward, passes - forward};
    }
    outcome.computeSeconds = secondsBetween(batchThere, lastArrival);
    outcome.averagingSeconds = secondsBetween(lastArrival, own.updateBegins);
    outcome.updateSeconds = secondsBetween(own.updateBegins, end);
    if (m_devices > 1) {
        outcome.exchange = exchangeOf(towers, own, lastArrival);
    }
}

/// From the moment on at which the last device's part was there: what is before is waiting for it.
ExchangeSeconds DevicePhases::exchangeOf(
    std::span<const TowerTimes> towers, const StepStamps& own, std::int64_t lastArrival) const
{
    ExchangeSeconds seconds;
    for (std::size_t bucket = 0; bucket < own.sums.size(); ++bucket) {
        std::int64_t begin = own.sums[bucket].begin;
        const std::int64_t end = own.sums[bucket].end;
        for (const TowerTimes& tower : towers) {
            begin = std::max(begin, onReference(tower, tower.ofDevice.sums[bucket].begin));
        }
        if (end != 0) {
            seconds.underWay += std::max(0.0, secondsBetween(begin, end));
            seconds.exposed += std::max(0.0, secondsBetween(std::max(begin, lastArrival), end));
        }
    }
    return seconds;
}

} // namespace lockstep
