// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/run/training_run.h"
#include "support/stored_run.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace lockstep::test {

/// As smallRunConfig(), with a checkpoint every five steps.
inline RunConfig smallConfig(std::int64_t steps)
{
    RunConfig config = smallRunConfig(steps);
    config.checkpointEverySteps = 5;
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
    void onNote(NoteLevel /*level*/, const std::string& text) override { notes.push_back(text); }
    void onAlert(const AlertRecord& alert) override
    {
        const std::scoped_lock lock(m_mutex);
        m_alerts.push_back(alert);
    }
    void onConfig(const RunConfig& config) override { configs.push_back(config); }

    /// Those of a kind so far; any thread.
    [[nodiscard]] std::vector<AlertRecord> alerts(AlertKind kind) const
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<AlertRecord> chosen;
        std::ranges::copy_if(m_alerts, std::back_inserter(chosen), [&](const AlertRecord& alert) {
            return alert.kind == kind;
        });
        return chosen;
    }

    std::function<void(std::int64_t)> afterStep;
    std::function<void()> whenPaused;
    std::vector<RunState> states;
    std::vector<double> losses;
    std::vector<EvaluationRecord> evaluations;
    std::map<std::int64_t, std::filesystem::path> checkpoints;
    std::vector<PreflightRecord> checklist;
    std::vector<std::string> notes;
    std::vector<RunConfig> configs;
    std::atomic<bool> isPaused{false};

private:
    mutable std::mutex m_mutex;
    std::vector<AlertRecord> m_alerts;
};

inline std::vector<double> trainWhole(const RunRequest& request, Witness& witness)
{
    TrainingRun run(request, witness);
    run.train();
    return witness.losses;
}

} // namespace lockstep::test
