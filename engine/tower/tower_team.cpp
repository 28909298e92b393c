// SPDX-License-Identifier: Apache-2.0
#include "tower/tower_team.h"

#include "base/error.h"
#include "tower/rank_towers.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

namespace lockstep {
namespace {

int workersFor(const TowerRange& towers, int lanesPerTower)
{
    return std::min(towers.count * lanesPerTower, ThreadTeam::processors());
}

/// False: some threads work inside the ops. They would inherit the cores of a bound lane, which may
/// be fewer than they are.
bool worksInLanesOnly(const TowerShape& shape, int lanesPerTower)
{
    return shape.threadsPerTower <= lanesPerTower;
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
    const TowerShape& shape, const ReplicaSettings& settings, const RankShare& share)
    : m_device(device), m_shape(shape), m_share(share), m_towers(share.of(shape.towers)),
      m_lanesPerTower(lanesPerTower(network, shape)),
      m_threads(std::make_unique<ThreadTeam>(
          "tower", workersFor(m_towers, m_lanesPerTower),
          worksInLanesOnly(shape, m_lanesPerTower))),
      m_lanes(planLanes(shape, m_towers, m_lanesPerTower, m_threads->size())),
      m_replicas(m_lanes.size()), m_laneSeconds(m_lanes.size()), m_lossSum(network),
      m_results(static_cast<std::size_t>(m_towers.count))
{
    ReplicaSettings common = settings;
    common.isTraining = true;
    common.syncTowers = shape.towers;
    const auto make = [&](std::size_t lane) {
        ReplicaSettings own = common;
        own.examples = m_lanes[lane].rows;
        own.threads = m_lanes[lane].threads;
        own.firstRow = m_lanes[lane].firstRow;
        m_replicas[lane] = std::make_unique<Replica>(device, network, layout, own);
    };
    // The first one chooses for all, of all ranks.
    if (share.isFirst()) {
        forEachLane([&](std::size_t lane) {
            if (lane == 0) {
                make(lane);
            }
        });
    }
    shareMeasured(common.algorithms);
    forEachLane([&](std::size_t lane) {
        if (!m_replicas[lane]) {
            make(lane);
        }
    });
    if (shape.passes > 1) {
        m_kept.assign(
            m_lanes.size(), std::vector<float>(static_cast<std::size_t>(layout.elements)));
    }
}

/// Those of the first lane, of the first rank.
void TowerTeam::shareMeasured(std::map<std::string, std::string>& algorithms) const
{
    if (m_replicas.front()) {
        for (const OpReport& op : m_replicas.front()->report()) {
            if (op.choices.isMeasured()) {
                algorithms[op.layer] = op.algorithm;
            }
        }
    }
    if (m_share.ranks != nullptr) {
        algorithms = parseAlgorithms(textFromFirst(*m_share.ranks, algorithmsText(algorithms)));
    }
}

const std::vector<TowerResult>& TowerTeam::forwardBackward(
    const Batch& batch, const WeightsView& weights)
{
    require(
        batch.examples == m_towers.count * m_shape.batchPerTower,
        "a batch of another size than planned");
    const Work work{batch, weights, {}};
    std::ranges::fill(m_results, TowerResult{});
    for (int pass = 0; pass < m_shape.passes; ++pass) {
        runPass(pass, work);
    }
    return m_results;
}

void TowerTeam::runPass(int pass, const Work& work)
{
    beginPass(pass);
    const bool isOnly = m_shape.passes == 1;
    const std::size_t jobs = stops(Direction::Forward) + stops(Direction::Backward) + 1;
    for (std::size_t job = 0; job < jobs; ++job) {
        forEachLane([&](std::size_t lane) { runLane(lane, job, work); });
        addSums(job);
        if (isOnly) {
            tellCuts(job);
        }
    }
    if (!isOnly) {
        forEachLane([&](std::size_t lane) { keepGradients(lane); });
        // Only now are the gradients there.
        for (std::size_t cut = 0; isLastPass() && cut < m_cuts.size(); ++cut) {
            m_onCut(cut);
        }
    }
    addResults();
}

/// The lanes move on to their rows of the pass.
void TowerTeam::beginPass(int pass)
{
    for (Lane& lane : m_lanes) {
        lane.firstRow += (pass - m_pass) * m_shape.rowsPerPass();
    }
    m_pass = pass;
}

/// Adds what the passes before have made to the lane's gradients, and keeps the sum for the next
/// pass. Each has its share, that of the rows, also of a moment.
void TowerTeam::keepGradients(std::size_t lane)
{
    float* const gradients = m_replicas[lane]->gradients();
    std::vector<float>& kept = m_kept[lane];
    for (std::size_t i = 0; m_pass > 0 && i < kept.size(); ++i) {
        gradients[i] += kept[i];
    }
    if (!isLastPass()) {
        std::copy_n(gradients, kept.size(), kept.begin());
    }
}

void TowerTeam::addResults()
{
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        TowerResult& result =
            m_results[static_cast<std::size_t>(m_lanes[lane].tower - m_towers.first)];
        m_lossSum.add(m_replicas[lane]->results(), m_lanes[lane].rows, result);
        if (m_laneSeconds[lane].arrival() > result.seconds.arrival()) {
            result.seconds = m_laneSeconds[lane];
        }
    }
}

/// Job k leads up to the k-th stop, so that no lane ever waits in the middle
/// of one: they may take turns. The last part of forward and the first one of backward are one job.
void TowerTeam::runLane(std::size_t lane, std::size_t job, const Work& work)
{
    const std::size_t inForward = stops(Direction::Forward);
    BatchSlice rows = slice(work.batch, m_lanes[lane]);
    rows.rowsBefore = m_pass * m_shape.rowsPerPass();
    Replica& replica = *m_replicas[lane];
    TowerSeconds& seconds = m_laneSeconds[lane];
    if (job == 0 && m_pass == 0) {
        seconds = {
            .start = work.sinceBatch.seconds(), .copy = 0.0, .forward = 0.0, .backward = 0.0};
    }
    if (job <= inForward) {
        replica.forwardPart(job, work.weights, rows);
        seconds.forward += work.sinceBatch.seconds() - seconds.arrival();
    }
    if (job >= inForward) {
        replica.backwardPart(
            job - inForward, work.weights, rows, 1.0 / static_cast<double>(m_shape.batchPerTower));
        if (isLastPass() && m_delayedLane == lane
            && job == inForward + stops(Direction::Backward)) {
            std::this_thread::sleep_for(std::chrono::duration<double>(m_delaySeconds));
        }
        seconds.backward += work.sinceBatch.seconds() - seconds.arrival();
    }
}

void TowerTeam::cutBackward(
    const std::vector<int>& firstLayers, std::function<void(std::size_t)> onCut)
{
    forEachLane([&](std::size_t lane) {
        const auto cuts = m_replicas[lane]->cutBackward(firstLayers);
        if (lane == 0) {
            m_cuts = cuts;
        }
    });
    m_onCut = std::move(onCut);
}

void TowerTeam::tellCuts(std::size_t job) const
{
    const std::size_t inForward = stops(Direction::Forward);
    const auto cut = std::ranges::find(m_cuts, job + 1 - std::min(job + 1, inForward));
    if (cut != m_cuts.end()) {
        m_onCut(static_cast<std::size_t>(cut - m_cuts.begin()));
    }
}

/// In tower order, whoever came first; there is one lane a tower then.
void TowerTeam::addSums(std::size_t job)
{
    const std::size_t inForward = stops(Direction::Forward);
    const auto sumsOf = [&](const std::unique_ptr<Replica>& replica) {
        return job < inForward ? replica->sumsAfter(Direction::Forward, job)
                               : replica->sumsAfter(Direction::Backward, job - inForward);
    };
    const std::size_t count = sumsOf(m_replicas.front()).size();
    if (count == 0) {
        return;
    }
    m_towerSums.clear();
    for (const auto& replica : m_replicas) {
        const std::span<double> sums = sumsOf(replica);
        m_towerSums.insert(m_towerSums.end(), sums.begin(), sums.end());
    }
    if (m_share.ranks != nullptr) {
        m_towerSums = ofAllTowers<double>(*m_share.ranks, m_shape.towers, m_towerSums, count);
    }
    m_sums.assign(count, 0.0);
    for (std::size_t i = 0; i < m_towerSums.size(); ++i) {
        m_sums[i % count] += m_towerSums[i];
    }
    for (const auto& replica : m_replicas) {
        std::ranges::copy(m_sums, sumsOf(replica).begin());
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

std::size_t TowerTeam::bytes(int lane) const
{
    return replica(lane).bytes()
           + (m_kept.empty() ? 0 : m_kept[static_cast<std::size_t>(lane)].size() * sizeof(float));
}

std::size_t TowerTeam::bytes() const
{
    std::size_t total = 0;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane) {
        total += bytes(static_cast<int>(lane));
    }
    return total;
}

} // namespace lockstep
