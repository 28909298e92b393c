// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/bench/step_simulation.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep {

/// What a step takes its time for; adding: with the work of sending and receiving.
enum class ScalingLimit { Input, Compute, Update, Adding, Latency, Bandwidth };

/// "input", "compute", "update", "adding", "latency", "bandwidth".
std::string_view toString(ScalingLimit limit);

/// Seconds of each. Of what a single tower has, too (input, compute, update), those in which it is
/// at work; of the others what the step would be shorter by if that alone cost nothing. What is
/// hidden behind the backward pass counts nothing, so they need not add up to the step.
class LimitSeconds
{
public:
    double& operator[](ScalingLimit limit) { return m_seconds[static_cast<std::size_t>(limit)]; }
    double operator[](ScalingLimit limit) const
    {
        return m_seconds[static_cast<std::size_t>(limit)];
    }

private:
    std::array<double, 6> m_seconds{};
};

/// One number of towers.
struct SimulatedLine
{
    int towers = 0;
    int ranks = 0;
    double stepSeconds = 0.0;
    double speedUp = 0.0;              ///< times the examples per second of one tower
    double efficiency = 0.0;           ///< speed-up / towers = step of one tower / this step
    std::optional<double> hiddenShare; ///< of the exchange; empty: there is none
    LimitSeconds seconds;
    /// What to look at first: while towers keep kGoodEfficiency, what a tower does longest itself;
    /// else what costs most between them.
    ScalingLimit limit = ScalingLimit::Compute;
};

constexpr double kGoodEfficiency = 0.9;
constexpr int kMostSimulatedTowers = 1024;

/// Error(BadInput) names what can't be simulated.
void checkSimulation(const SimulatedCluster& cluster, const std::vector<int>& towers);

/// Every number of towers, ascending, each with as large a batch for each tower as one has (weak
/// scaling). 1 is added if it is missing. Errors as above.
std::vector<SimulatedLine> simulateScaling(
    const TowerStep& step, const SimulatedCluster& cluster, const std::vector<int>& towers);

/// 1, 2, 4, … and `most`.
std::vector<int> doublingTowers(int most);

} // namespace lockstep
