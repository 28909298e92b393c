// SPDX-License-Identifier: Apache-2.0
#include "session/training/tower_memory.h"

#include "device/parameter_arena.h"
#include "device/registry/device_registry.h"
#include "tower/replica.h"

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
    settings.examples = shape.batchPerTower;
    settings.threads = shape.threadsPerTower;
    settings.precision = precision;
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
    return memory;
}

} // namespace lockstep
