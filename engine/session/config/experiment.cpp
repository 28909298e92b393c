// SPDX-License-Identifier: Apache-2.0
#include "session/config/experiment.h"

#include "base/error.h"

#include <fmt/core.h>

namespace lockstep {

std::pair<AlertKind, int> symptomOf(const ShardSettings& shards)
{
    return shards.kind == ShardKind::Same
               ? std::pair(AlertKind::SameData, -1)
               : std::pair(AlertKind::TowerLoss, shards.towers > 2 ? shards.tower : -1);
}

void ExperimentSettings::validate(int towers) const
{
    static_cast<void>(shardKindByName(shards));
    if (tower < -1 || tower >= towers) {
        fail(
            ErrorCode::BadInput, "experiment.tower is {}, but must be between -1 (the last) and {}",
            tower, towers - 1);
    }
    if (exampleClass < 0) {
        fail(
            ErrorCode::BadInput, "experiment.class is {}, but must be the number of a class",
            exampleClass);
    }
}

ShardSettings ExperimentSettings::shardSettings(int towers) const
{
    return {shardKindByName(shards), towers, tower < 0 ? towers - 1 : tower, exampleClass};
}

std::vector<std::string> ExperimentSettings::describe(int towers) const
{
    std::vector<std::string> lines;
    if (const int delayed = delayedTower(towers); delayed >= 0) {
        lines.push_back(fmt::format(
            "experiment: tower {} sleeps {} ms in every backward pass", delayed,
            delayMilliseconds));
    }
    const ShardSettings shares = shardSettings(towers);
    switch (shares.kind) {
    case ShardKind::Same:
        lines.emplace_back("experiment: all towers get the same rows, those of tower 0");
        break;
    case ShardKind::Skewed:
        lines.push_back(fmt::format(
            "experiment: tower {} gets only examples of class {}", shares.tower,
            shares.exampleClass));
        break;
    case ShardKind::Poisoned:
        lines.push_back(fmt::format("experiment: the labels of tower {} are random", shares.tower));
        break;
    case ShardKind::Distinct:
        break;
    }
    return lines;
}

} // namespace lockstep
