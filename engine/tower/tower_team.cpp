// SPDX-License-Identifier: Apache-2.0
#include "tower/tower_team.h"

#include "base/error.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace lockstep {
namespace {

int workersFor(const TowerShape& shape)
{
    const std::int64_t lanes =
        shape.towers * std::min<std::int64_t>(shape.threadsPerTower, shape.batchPerTower);
    return static_cast<int>(std::min<std::int64_t>(lanes, ThreadTeam::processors()));
}

/// False: some threads work inside the ops. They would inherit the cores of a bound lane, which may
/// be fewer than they are.
bool worksInLanesOnly(const TowerShape& shape)
{
    return shape.threadsPerTower <= shape.batchPerTower;
}

} // namespace

template<class Job>
void TowerTeam::forEachLane(Job job)
{
    m_threads->run([&](int worker) {
        // Set each time: others use these threads too (evaluation).
        m_device.enterThread(m_lanes.front().threads);
        for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
            if (m_lanes[lane].worker != worker) {
                continue;
            }
            try {
                job(lane);
            } catch (const Error& error) {
                fail(error.code(), "tower {}: {}", m_lanes[lane].tower, error.what());
            }
        }
    });
}

TowerTeam::TowerTeam(
    const HostDevice& device, const NetworkSpec& network, const ParameterLayout& layout,
    const TowerShape& shape, Precision precision)
    : m_device(device), m_shape(shape),
      m_threads(std::make_unique<ThreadTeam>("tower", workersFor(shape), worksInLanesOnly(shape))),
      m_lanes(planLanes(shape, m_threads->size())), m_replicas(m_lanes.size()),
      m_laneResults(m_lanes.size()), m_results(static_cast<std::size_t>(shape.towers))
{
    for (const Objective& objective : network.objectives) {
        m_objectiveWeights.push_back(objective.weight);
    }
    forEachLane([&](std::size_t lane) {
        m_replicas[lane] = std::make_unique<Replica>(
            device, network, layout,
            ReplicaSettings{m_lanes[lane].rows, true, m_lanes[lane].threads, precision, {}});
    });
}

const std::vector<TowerResult>& TowerTeam::forwardBackward(
    const Batch& batch, const WeightsView& weights)
{
    require(batch.examples == m_shape.globalBatch(), "a batch of another size than planned");
    const Stopwatch sinceBatch;
    forEachLane([&](std::size_t lane) { runLane(lane, batch, weights, sinceBatch); });
    std::ranges::fill(m_results, TowerResult{});
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        TowerResult& result = m_results[static_cast<std::size_t>(m_lanes[lane].tower)];
        result.lossSum += m_laneResults[lane].lossSum;
        result.correct += m_laneResults[lane].correct;
        result.examples += m_laneResults[lane].examples;
        if (m_laneResults[lane].seconds.arrival() > result.seconds.arrival()) {
            result.seconds = m_laneResults[lane].seconds;
        }
    }
    return m_results;
}

void TowerTeam::runLane(
    std::size_t lane, const Batch& batch, const WeightsView& weights, const Stopwatch& sinceBatch)
{
    TowerSeconds seconds{.start = sinceBatch.seconds(), .copy = 0.0};
    Stopwatch phase;
    const BatchSlice rows = slice(batch, m_lanes[lane]);
    Replica& replica = *m_replicas[lane];
    replica.forward(weights, rows.images, rows.labels);
    seconds.forward = phase.restart();
    replica.backward(
        weights, rows.images, rows.labels, 1.0 / static_cast<double>(m_shape.batchPerTower));
    if (m_delayedLane == lane) {
        std::this_thread::sleep_for(std::chrono::duration<double>(m_delaySeconds));
    }
    seconds.backward = phase.seconds();
    TowerResult& result = m_laneResults[lane];
    result = {0.0, replica.results().front().correct, rows.examples, seconds};
    for (std::size_t i = 0; i < m_objectiveWeights.size(); ++i) {
        result.lossSum += m_objectiveWeights[i] * replica.results()[i].lossSum;
    }
}

std::vector<LaneGradient> TowerTeam::gradients() const
{
    std::vector<LaneGradient> gradients;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        gradients.push_back({m_lanes[lane].tower, m_replicas[lane]->gradients()});
    }
    return gradients;
}

int TowerTeam::firstTowerNotFinite(std::int64_t offset, std::int64_t count) const
{
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        const float* values = m_replicas[lane]->gradients() + offset;
        if (!std::all_of(
                values, values + count, [](float value) { return std::isfinite(value); })) {
            return m_lanes[lane].tower;
        }
    }
    return -1;
}

/// Of its lanes the last one sleeps: they work side by side, and one sleep is what is asked for.
void TowerTeam::delayBackward(int tower, double seconds)
{
    const auto last = std::find_if(m_lanes.rbegin(), m_lanes.rend(), [tower](const Lane& lane) {
        return lane.tower == tower;
    });
    require(last != m_lanes.rend(), "a delay of a tower that is not there");
    m_delayedLane = static_cast<std::size_t>(std::distance(m_lanes.begin(), last.base())) - 1;
    m_delaySeconds = seconds;
}

void TowerTeam::timeNodes()
{
    forEachLane([&](std::size_t lane) { m_replicas[lane]->timeNodes(); });
}

std::vector<NodeSeconds> TowerTeam::nodeSeconds() const
{
    const auto threads = static_cast<double>(m_threads->size());
    std::vector<NodeSeconds> mean(m_replicas.front()->nodeSeconds().size());
    for (const auto& replica : m_replicas) {
        for (std::size_t i = 0; i < mean.size(); ++i) {
            mean[i].forward += replica->nodeSeconds()[i].forward / threads;
            mean[i].backward += replica->nodeSeconds()[i].backward / threads;
        }
    }
    return mean;
}

std::size_t TowerTeam::bytes() const
{
    std::size_t total = 0;
    for (const auto& replica : m_replicas) {
        total += replica->bytes();
    }
    return total;
}

} // namespace lockstep
