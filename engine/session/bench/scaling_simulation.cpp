// SPDX-License-Identifier: Apache-2.0
#include "session/bench/scaling_simulation.h"

#include "base/enum_names.h"
#include "base/error.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <set>

namespace lockstep {
namespace {

constexpr EnumNames<ScalingLimit, 6> kLimits{
    {"input", "compute", "update", "adding", "latency", "bandwidth"}};

/// Of these the one that takes longest.
ScalingLimit longestOf(const LimitSeconds& seconds, std::initializer_list<ScalingLimit> limits)
{
    return *std::ranges::max_element(
        limits, {}, [&](ScalingLimit limit) { return seconds[limit]; });
}

/// Of a step that takes `seconds`: played again with one thing after the other for nothing.
LimitSeconds limitSeconds(
    const TowerStep& step, const SimulatedCluster& cluster, int towers, double seconds)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    TowerStep withoutAdding = step;
    withoutAdding.addedBytesPerSecond = kInfinity;
    SimulatedCluster withoutMoving = cluster;
    withoutMoving.link.workPerByte = 0.0;
    SimulatedCluster atOnce = cluster;
    atOnce.link.latency = 0.0;
    SimulatedCluster wide = cluster;
    wide.link.bytesPerSecond = kInfinity;
    // What is sent in another order may by chance take a little longer, although it costs less.
    const auto saved = [&](const TowerStep& other, const SimulatedCluster& machines) {
        return std::max(0.0, seconds - simulateStep(other, machines, towers).seconds);
    };
    LimitSeconds all;
    all[ScalingLimit::Input] = step.input;
    all[ScalingLimit::Compute] = step.forward + step.backward;
    all[ScalingLimit::Update] = step.update;
    all[ScalingLimit::Adding] = saved(withoutAdding, withoutMoving);
    all[ScalingLimit::Latency] = saved(step, atOnce);
    all[ScalingLimit::Bandwidth] = saved(step, wide);
    return all;
}

SimulatedLine simulatedLine(
    const TowerStep& step, const SimulatedCluster& cluster, int towers, double ofOne)
{
    const SimulatedStep simulated = simulateStep(step, cluster, towers);
    SimulatedLine line;
    line.towers = towers;
    line.ranks = cluster.ranksFor(towers);
    line.stepSeconds = simulated.seconds;
    line.efficiency = ofOne / simulated.seconds;
    line.speedUp = towers * line.efficiency;
    if (const double exchange = simulated.exchangeSeconds(); exchange > 0.0) {
        line.hiddenShare = std::max(0.0, 1.0 - simulated.exposedSeconds() / exchange);
    }
    line.seconds = limitSeconds(step, cluster, towers, simulated.seconds);
    line.limit =
        line.efficiency >= kGoodEfficiency
            ? longestOf(
                line.seconds, {ScalingLimit::Compute, ScalingLimit::Input, ScalingLimit::Update})
            : longestOf(
                line.seconds,
                {ScalingLimit::Bandwidth, ScalingLimit::Latency, ScalingLimit::Adding});
    return line;
}

} // namespace

std::string_view toString(ScalingLimit limit)
{
    return kLimits.of(limit);
}

void checkSimulation(const SimulatedCluster& cluster, const std::vector<int>& towers)
{
    for (const int number : towers) {
        if (number < 1 || number > kMostSimulatedTowers) {
            fail(
                ErrorCode::BadInput, "towers is {}: give numbers from 1 to {}", number,
                kMostSimulatedTowers);
        }
    }
    if (cluster.towersPerRank < 1) {
        fail(ErrorCode::BadInput, "towers per rank is {}: give 1 or more", cluster.towersPerRank);
    }
    const NetworkLink& link = cluster.link;
    if (!(link.bytesPerSecond > 0.0) || !(link.latency >= 0.0) || !(link.workPerByte >= 0.0)) {
        fail(
            ErrorCode::BadInput,
            "a link needs a latency and a work of 0 or more and a bandwidth above 0");
    }
    if (cluster.pieceBytes && !(*cluster.pieceBytes > 0.0)) {
        fail(ErrorCode::BadInput, "a piece has {} bytes: give more than 0", *cluster.pieceBytes);
    }
}

std::vector<SimulatedLine> simulateScaling(
    const TowerStep& step, const SimulatedCluster& cluster, const std::vector<int>& towers)
{
    checkSimulation(cluster, towers);
    std::set<int> counts(towers.begin(), towers.end());
    counts.insert(1);
    const double ofOne = simulateStep(step, cluster, 1).seconds;
    std::vector<SimulatedLine> lines;
    lines.reserve(counts.size());
    for (const int number : counts) {
        lines.push_back(simulatedLine(step, cluster, number, ofOne));
    }
    return lines;
}

std::vector<int> doublingTowers(int most)
{
    std::vector<int> towers;
    for (int number = 1; number < most; number *= 2) {
        towers.push_back(number);
    }
    towers.push_back(most);
    return towers;
}

} // namespace lockstep
