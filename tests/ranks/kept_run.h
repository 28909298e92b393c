// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "storage/checkpoint/checkpoint_folder.h"
#include "support/gradients.h"
#include "support/stored_run.h"

#include <QString>

#include <algorithm>
#include <string>
#include <vector>

namespace lockstep::test {

/// Where two runs on disk are not the same training, bit for bit: losses of all towers,
/// evaluations, gradients, the newest checkpoint. Empty: nowhere.
inline QString differenceOf(const std::filesystem::path& a, const std::filesystem::path& b)
{
    const auto losses = [](const std::filesystem::path& run) {
        std::vector<double> values;
        for (const StepRecord& record : storedSteps(run)) {
            for (const TowerRecord& tower : record.towers) {
                values.insert(
                    values.end(), {tower.loss, static_cast<double>(tower.correct),
                                   static_cast<double>(tower.examples)});
            }
        }
        return values;
    };
    const auto evaluations = [](const std::filesystem::path& run) {
        std::vector<double> values;
        for (const EvaluationRecord& record :
             RunStoreReader(RunFolder::storeFileOf(run)).evaluations()) {
            values.insert(
                values.end(),
                {static_cast<double>(record.step), static_cast<double>(record.examples),
                 static_cast<double>(record.correct), record.loss});
        }
        return values;
    };
    const auto newest = [](const std::filesystem::path& run) {
        const auto files = listCheckpoints(run / "checkpoints");
        return files.empty() ? Checkpoint() : readCheckpoint(files.back().path);
    };
    if (losses(a).empty() || losses(a) != losses(b)) {
        return "losses";
    }
    if (evaluations(a) != evaluations(b)) {
        return "evaluations";
    }
    if (!std::ranges::equal(storedGradients(a), storedGradients(b), sameGradients)) {
        return "gradients";
    }
    const Checkpoint one = newest(a);
    const Checkpoint other = newest(b);
    if (one.weights.empty() || one.step != other.step || one.examplesSeen != other.examplesSeen
        || one.weights != other.weights || one.movingAverages != other.movingAverages
        || one.optimizerState != other.optimizerState) {
        return "checkpoints";
    }
    return {};
}

} // namespace lockstep::test
