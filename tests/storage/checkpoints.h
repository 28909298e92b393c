// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/checkpoint/checkpoint.h"

#include <string>

namespace lockstep::test {

/// A small checkpoint in which every value tells the step it is of.
inline Checkpoint exampleCheckpoint(std::int64_t step, std::size_t outputs = 2)
{
    Checkpoint checkpoint;
    checkpoint.step = step;
    checkpoint.examplesSeen = step * 256;
    checkpoint.model = "cifar10";
    checkpoint.configuration = "seed = 3\n[model]\nname = \"cifar10\" # ü\n";
    checkpoint.seed = 0xffff'ffff'ffff'fff0U;
    checkpoint.run = "0123456789abcdef";
    checkpoint.branch = 3;
    checkpoint.towers = 4;
    checkpoint.threadsPerTower = 2;
    checkpoint.notes = {{"device", "cpu"}, {"oneDNN", "2.6"}};
    const auto tensor = [&](const std::string& name, float offset) {
        const auto size = static_cast<std::int64_t>(outputs);
        return NamedTensor{
            name, {size, 3}, std::vector<float>(outputs * 3, static_cast<float>(step) + offset)};
    };
    checkpoint.weights = {tensor("conv1.weight", 0.25F), tensor("conv1.bias", 0.5F)};
    checkpoint.movingAverages = {tensor("conv1.weight", -0.25F), tensor("conv1.bias", -0.5F)};
    checkpoint.optimizerState["momentum"] = {
        tensor("conv1.weight", 0.125F), tensor("conv1.bias", 0.1F)};
    return checkpoint;
}

} // namespace lockstep::test
