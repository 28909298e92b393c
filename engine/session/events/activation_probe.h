// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/thread_team.h"
#include "device/device.h"
#include "device/parameter_arena.h"
#include "input/batch.h"
#include "network/network_spec.h"
#include "tower/replica.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// What a layer makes of some rows.
struct LayerActivations
{
    int layer = 0;             ///< number in the network
    std::vector<float> values; ///< rows x height x width x channels
};

/// Passes a few rows through a network of its own on this computer's processor, in float32,
/// whatever device the network trains on, and shows what the layers that have parameters make of
/// them. So the towers need not keep what they would otherwise overwrite. One thread at a time.
class ActivationProbe
{
public:
    /// Plans for batches of `rows` rows. `network` must outlive the probe.
    ActivationProbe(const NetworkSpec& network, std::int64_t rows);
    ActivationProbe(const ActivationProbe&) = delete;
    ActivationProbe& operator=(const ActivationProbe&) = delete;

    /// Takes over one parameter, in PyTorch's order.
    void setWeights(int parameter, std::span<const float> values);
    /// The activations of `batch`, layer by layer.
    [[nodiscard]] std::vector<LayerActivations> run(const Batch& batch);

private:
    NetworkSpec m_network; ///< with an output for each layer of interest
    std::unique_ptr<Device> m_device;
    ParameterLayout m_layout;
    DeviceMemory m_weights;
    ThreadTeam m_thread; ///< a replica is planned and used by one thread
    std::optional<Replica> m_replica;
};

} // namespace lockstep
