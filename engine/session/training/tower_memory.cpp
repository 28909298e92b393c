// SPDX-License-Identifier: Apache-2.0
#include "session/training/tower_memory.h"

#include "device/parameter_arena.h"
#include "device/registry/device_registry.h"
#include "session/config/training_phases.h"
#include "tower/layer_algorithms.h"
#include "tower/placement.h"
#include "tower/replica.h"

#include <algorithm>

namespace lockstep {

TowerMemory planTowerMemory(const RunConfig& config, const NetworkSpec& network)
{
    const DeviceChoice choice = openDevices(config.device, config.towers);
    const Device& device = choice.first();
    const Precision precision = precisionByName(config.precision);
    const UpdateKind optimizer = config.optimizer.settings().kind;
    const ParameterLayout layout(device, network, precision);
    const TowerShape shape = config.towerShape();
    ReplicaSettings settings;
    settings.examples = shape.rowsPerPass();
    settings.threads = shape.threadsPerTower;
    settings.precision = precision;
    settings.algorithms = config.layerAlgorithms();
    leaveUnmeasured(settings.algorithms);
    settings.isPlanOnly = true;
    settings.features = stepFeaturesWithout(config.gpuWithout);
    const auto elements = static_cast<std::size_t>(layout.elements);
    TowerMemory memory;
    memory.device = device.info().name;
    memory.parameterBytes = elements
                            * (ParameterArena::partsFor(optimizer) * sizeof(float)
                               + 2 * device.operandBytes(precision));
    device.enterThread(settings.threads);
    memory.evaluation = Replica(device, network, layout, settings).memory();
    settings.isTraining = true;
    memory.training = Replica(device, network, layout, settings).memory();
    if (shape.passes > 1) { // the sum of the passes before
        memory.training.gradientBytes *= 2;
    }
    return memory;
}

std::vector<DeviceNeed> planRunMemory(const RunConfig& config)
{
    std::vector<DeviceNeed> needs;
    std::vector<std::size_t> towers;
    {
        const DeviceChoice choice = openDevices(config.device, config.towers);
        const auto places = placeTowers(config.towers, static_cast<int>(choice.devices.size()));
        for (std::size_t i = 0; i < places.size() && places[i].count > 0; ++i) {
            const DeviceInfo& info = choice.devices[i]->info();
            needs.push_back({info.name, 0, info.memoryBytes});
            towers.push_back(static_cast<std::size_t>(places[i].count));
        }
    }
    const NetworkSpec network = makeNetwork(config.model);
    for (const RunPhase& phase : phasePlan(config.trainedPhases())) {
        const TowerMemory memory = planTowerMemory(config, networkOf(network, phase));
        for (std::size_t i = 0; i < needs.size(); ++i) {
            needs[i].bytes = std::max(
                needs[i].bytes,
                memory.parameterBytes
                    + towers[i] * (memory.training.bytes + memory.training.gradientBytes));
        }
    }
    return needs;
}

} // namespace lockstep
