// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "tower/lanes.h"
#include "tower/placement.h"
#include "tower/replica.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace lockstep {

/// The towers that share one accelerator: each has a replica and a stream, all read the same
/// weights. In a step each goes over its batch in TowerShape::passes. They run as parallel branches
/// of the main stream, which come together where a synchronised op needs the sums of all, of other
/// devices too. Used by one thread.
class DeviceTowers
{
public:
    /// Plans and allocates all replicas, of whose `settings` the rest is filled in: precision,
    /// syncTowers, algorithms, seed and mayGoOn are the same for all; all choose what the first one
    /// chose. `stamps` are those of the first tower, the others' follow. Errors name the tower.
    DeviceTowers(
        const Accelerator& device, const NetworkSpec& network, const ParameterLayout& layout,
        const TowerRange& towers, const TowerShape& shape, const ReplicaSettings& settings);

    /// Enqueues the sum of values of all devices in place, on what follows in stream().
    using SumOverDevices = std::function<void(double* values, std::int64_t count)>;
    /// From now on sync points are those of several devices. The rounding is that of a sum of the
    /// devices' sums in double, in the order of whoever adds them up.
    void sumOverDevices(SumOverDevices sum) { m_sumOverDevices = std::move(sum); }

    /// What the whole device does in order; the towers branch off it and come back to it.
    [[nodiscard]] Stream& stream() const { return *m_stream; }

    /// All passes but the last one; makes nothing where that is the only one.
    void enqueueEarlierPasses(
        const WeightsView& weights, const DeviceInput& input, double lossScale);
    /// Forward pass of all towers and the part of their backward pass that is `layers`.
    /// Every tower takes its own rows of the slot.
    void enqueueForward(
        const WeightsView& weights, const DeviceInput& input, double lossScale,
        const LayerRange& layers);
    /// A further part of the backward pass.
    void enqueueBackward(const WeightsView& weights, double lossScale, const LayerRange& layers);
    /// Adds what the earlier passes have made to the gradients of the last one, in a range of the
    /// arena whose gradients are there.
    void addEarlierPasses(std::int64_t offset, std::int64_t count);

    /// The lanes of an average, in tower order, in the device's memory.
    [[nodiscard]] const WeightedGradient* lanes() const
    {
        return reinterpret_cast<const WeightedGradient*>(m_lanes.data());
    }
    /// The lanes of an average of the moments of normalisations, likewise.
    [[nodiscard]] const WeightedGradient* momentLanes() const { return lanes() + m_towers.count; }
    /// Says how much each tower counts in the averages of gradients and of moments.
    void setWeights(
        const std::vector<float>& towerWeights, const std::vector<float>& momentWeights);
    /// Of all towers: tower by tower, pass by pass, objective by objective, in the device's memory.
    [[nodiscard]] const ObjectiveResult* results() const
    {
        return reinterpret_cast<const ObjectiveResult*>(m_results.data());
    }

    [[nodiscard]] const TowerRange& range() const { return m_towers; }
    [[nodiscard]] const Replica& replica(int index) const
    {
        return *m_replicas[static_cast<std::size_t>(index)];
    }
    /// Rows of the tower's last pass.
    [[nodiscard]] Lane lane(int index) const;
    /// Memory of a tower: its replica, and what it keeps between passes.
    [[nodiscard]] std::size_t bytes(int index) const;

private:
    /// Where the towers' sums of one synchronised op lie: a pointer for each tower, in the device's
    /// memory.
    struct SyncPoint
    {
        DeviceMemory sums;
        double* first = nullptr; ///< of tower 0
        std::int64_t count = 0;
    };

    void makeReplicas(
        const NetworkSpec& network, const ParameterLayout& layout, ReplicaSettings settings);
    void beginPass(int number);
    void planSyncPoints();
    template<class SumsOf>
    [[nodiscard]] SyncPoint makeSyncPoint(SumsOf sumsOf) const;
    void addUp(const SyncPoint& point);
    void enqueueTower(
        std::size_t tower, const WeightsView& weights, double lossScale, const BackwardPart& part);
    void shareSum(const SyncPoint& point, int terms);
    void enqueueRest(
        const WeightsView& weights, double lossScale, const std::vector<BackwardPart>& parts);
    template<class Work>
    void branch(Work work);

    const Accelerator& m_device;
    TowerRange m_towers;
    TowerShape m_shape;
    DeviceMemory m_results;
    DeviceMemory m_lanes;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<Event> m_fork;
    std::vector<std::unique_ptr<Stream>> m_branches; ///< of towers 1, 2 …; tower 0 needs none
    std::vector<std::unique_ptr<Event>> m_joins;
    std::vector<std::unique_ptr<Replica>> m_replicas;
    std::vector<DeviceMemory> m_kept; ///< by tower: gradients of the passes before the last one
    std::vector<SyncPoint> m_forwardSyncPoints;    ///< after each part but the last
    std::map<int, SyncPoint> m_backwardSyncPoints; ///< by node that begins there
    SumOverDevices m_sumOverDevices;               ///< null: there are no others
};

} // namespace lockstep
