// SPDX-License-Identifier: Apache-2.0
#include "session/config/config_overlay.h"

#include "session/config/run_config.h"

#include <optional>
#include <utility>

namespace lockstep {

void replaceBatch(RunConfig& config, const std::function<void()>& set)
{
    const auto batchPerTower = std::exchange(config.batchPerTower, std::nullopt);
    const auto globalBatch = std::exchange(config.globalBatch, std::nullopt);
    set();
    if (!config.batchPerTower && !config.globalBatch) {
        config.batchPerTower = batchPerTower;
        config.globalBatch = globalBatch;
    }
}

void replaceSettings(RunConfig& config, const std::function<void()>& set)
{
    const int towers = config.towers;
    const auto threads = std::exchange(config.threadsPerTower, {});
    replaceBatch(config, set);
    if (config.towers == towers && config.threadsPerTower == ThreadsPerTower{}) {
        config.threadsPerTower = threads;
    }
}

} // namespace lockstep
