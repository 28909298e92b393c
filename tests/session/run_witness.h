// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/training_run.h"
#include "storage/run_folder.h"
#include "storage/run_store_reader.h"
#include "support/small_pictures.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockstep::test {

/// A training of a second.
inline RunConfig smallConfig(std::int64_t steps)
{
    RunConfig config;
    config.model = LOCKSTEP_SOURCE_DIR "/resources/models/small.toml";
    config.dataset = "cifar10";
    config.datasetPath = smallPictures().string();
    config.batchPerTower = 8;
    config.steps = steps;
    config.checkpointEverySteps = 5;
    config.evaluateAtEnd = false;
    return config;
}

/// Keeps what it is told, and can act after a step.
class Witness : public RunObserver
{
public:
    void onState(RunState state) override
    {
        states.push_back(state);
        if (state == RunState::Paused) {
            isPaused = true;
            if (whenPaused) {
                whenPaused();
            }
        }
    }
    void onStep(const StepRecord& record) override
    {
        losses.push_back(record.lossMean);
        if (afterStep) {
            afterStep(record.step);
        }
    }
    void onEvaluation(const EvaluationRecord& record) override { evaluations.push_back(record); }
    void onCheckpoint(std::int64_t step, const std::filesystem::path& file) override
    {
        checkpoints[step] = file;
    }
    void onPreflight(const PreflightRecord& record) override { checklist.push_back(record); }
    void onNote(const std::string& text) override { notes.push_back(text); }

    std::function<void(std::int64_t)> afterStep;
    std::function<void()> whenPaused;
    std::vector<RunState> states;
    std::vector<double> losses;
    std::vector<EvaluationRecord> evaluations;
    std::map<std::int64_t, std::filesystem::path> checkpoints;
    std::vector<PreflightRecord> checklist;
    std::vector<std::string> notes;
    std::atomic<bool> isPaused{false};
};

inline std::vector<double> trainWhole(const RunRequest& request, Witness& witness)
{
    TrainingRun run(request, witness);
    run.train();
    return witness.losses;
}

inline std::vector<double> storedLosses(const std::filesystem::path& folder)
{
    std::vector<double> losses;
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    reader.forEachStep([&](const StepRecord& record) { losses.push_back(record.lossMean); });
    return losses;
}

} // namespace lockstep::test
