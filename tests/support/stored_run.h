// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/config/run_config.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store_reader.h"
#include "support/small_pictures.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace lockstep::test {

/// A training of a second: the small network on a few pictures, 2 towers x 8; evaluates only when
/// asked.
inline RunConfig smallRunConfig(std::int64_t steps)
{
    RunConfig config;
    config.model.name = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.dataset = "cifar10";
    config.datasetPath = smallPictures().string();
    config.batchPerTower = 8;
    config.steps = steps;
    config.evaluateAtEnd = false;
    config.alerts = {0, 0.0, 0.0, 0, 0.0, 0.0}; // which depend on how busy the machine is
    return config;
}

/// All steps in a run's store.
inline std::vector<StepRecord> storedSteps(const std::filesystem::path& folder)
{
    std::vector<StepRecord> steps;
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    reader.forEachStep([&](const StepRecord& record) { steps.push_back(record); });
    return steps;
}

/// Their mean losses.
inline std::vector<double> storedLosses(const std::filesystem::path& folder)
{
    std::vector<double> losses;
    for (const StepRecord& record : storedSteps(folder)) {
        losses.push_back(record.lossMean);
    }
    return losses;
}

/// The same without weight decay, as the window shows them.
inline std::vector<double> storedCrossEntropies(const std::filesystem::path& folder)
{
    std::vector<double> losses;
    for (const StepRecord& record : storedSteps(folder)) {
        losses.push_back(crossEntropy(record));
    }
    return losses;
}

/// All gradients in a run's store.
inline std::vector<GradientRecord> storedGradients(const std::filesystem::path& folder)
{
    std::vector<GradientRecord> records;
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    reader.forEachGradient([&](const GradientRecord& record) { records.push_back(record); });
    return records;
}

} // namespace lockstep::test
