// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/thread_team.h"
#include "device/parameter_chunks.h"
#include "tower/lanes.h"
#include "tower/replica.h"
#include "tower/tower_result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep {

/// N towers and their threads, for life: each lane has a replica of its own, made and used by one
/// thread. All read the same weights. Where there are several ranks it has the towers of one; all
/// ranks call alike. One caller at a time.
class TowerTeam
{
public:
    /// Plans and allocates all replicas, on their threads; the first lane, of the first rank,
    /// chooses what is measured. Collective. See ReplicaSettings for the seed.
    TowerTeam(
        const HostDevice& device, const NetworkSpec& network, const ParameterLayout& layout,
        const TowerShape& shape, const ReplicaSettings& settings, const RankShare& share = {});

    /// From now on `onCut` is called on the calling thread, with 0, 1, …, as soon as a backward
    /// pass has made the gradients of all layers from firstLayers[0], [1], … on: descending, the
    /// last one 0.
    void cutBackward(const std::vector<int>& firstLayers, std::function<void(std::size_t)> onCut);

    /// The forward and backward passes of every own tower over its rows of the batch. Results of
    /// the own towers. The gradient of a tower is that of the mean over its rows. An exception
    /// names the tower; all others have finished by then.
    const std::vector<TowerResult>& forwardBackward(const Batch& batch, const WeightsView& weights);

    /// The lanes' gradients, in tower order; a tower's gradient is the sum of its lanes'.
    [[nodiscard]] std::vector<LaneGradient> gradients() const;

    /// The first tower whose own gradient is not finite somewhere in the given range of the arena;
    /// -1: none.
    [[nodiscard]] int firstTowerNotFinite(std::int64_t offset, std::int64_t count) const;

    [[nodiscard]] ThreadTeam& threads() const { return *m_threads; }
    /// With the rows of the last pass.
    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }
    [[nodiscard]] const Replica& replica(int lane) const
    {
        return *m_replicas[static_cast<std::size_t>(lane)];
    }
    /// Of all ranks.
    [[nodiscard]] const TowerShape& shape() const { return m_shape; }
    [[nodiscard]] const TowerRange& towers() const { return m_towers; }
    /// From now on the tower sleeps so long in each of its backward passes: an experiment.
    void delayBackward(int tower, double seconds);
    /// From now on every pass times the nodes of the network.
    void timeNodes();
    /// Layers, then objectives: what a thread spent on each since timeNodes(), mean over the
    /// threads; of all lanes together where they take turns. Empty before.
    [[nodiscard]] std::vector<NodeSeconds> nodeSeconds() const;
    /// Memory of a lane: its replica, and what it keeps between passes.
    [[nodiscard]] std::size_t bytes(int lane) const;
    /// Of all lanes.
    [[nodiscard]] std::size_t bytes() const;

private:
    /// What all lanes work on in one step.
    struct Work
    {
        const Batch& batch;
        const WeightsView& weights;
        Stopwatch sinceBatch;
    };

    void shareMeasured(std::map<std::string, std::string>& algorithms) const;
    [[nodiscard]] bool isLastPass() const { return m_pass + 1 == m_shape.passes; }
    /// Where lanes come together on the way.
    [[nodiscard]] std::size_t stops(Direction direction) const
    {
        return m_replicas.front()->parts(direction) - 1;
    }
    void runLane(std::size_t lane, std::size_t job, const Work& work);
    void runPass(int pass, const Work& work);
    void beginPass(int pass);
    void keepGradients(std::size_t lane);
    void addSums(std::size_t job);
    void tellCuts(std::size_t job) const;
    void addResults();
    template<class Job>
    void forEachLane(Job job);

    const HostDevice& m_device;
    TowerShape m_shape;
    RankShare m_share;
    TowerRange m_towers;
    int m_lanesPerTower = 1;
    std::unique_ptr<ThreadTeam> m_threads;
    std::vector<Lane> m_lanes;
    std::optional<std::size_t> m_delayedLane;
    double m_delaySeconds = 0.0;
    std::vector<std::unique_ptr<Replica>> m_replicas;
    int m_pass = 0;                         ///< that the lanes' rows are of
    std::vector<std::vector<float>> m_kept; ///< by lane: gradients of the passes before
    std::vector<TowerSeconds> m_laneSeconds;
    std::vector<double> m_sums;      ///< of a sync point
    std::vector<double> m_towerSums; ///< of all towers there, one after the other
    std::vector<std::size_t> m_cuts; ///< parts of the backward pass up to each
    std::function<void(std::size_t)> m_onCut;
    LossSum m_lossSum;
    std::vector<TowerResult> m_results;
};

} // namespace lockstep
