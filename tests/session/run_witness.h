// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/run/training_run.h"
#include "support/failure_of.h"
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
    void onEvent(const TrainingEvent& event) override
    {
        std::visit([this](const auto& told) { on(told); }, event);
    }

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
    std::vector<EvaluatedExamples> evaluated;
    std::vector<EvaluationRecord> evaluations;
    std::map<std::int64_t, std::filesystem::path> checkpoints;
    std::vector<PreflightRecord> checklist;
    std::vector<std::string> notes;
    std::vector<RunConfig> configs;
    std::atomic<bool> isPaused{false};

private:
    void on(RunState state)
    {
        states.push_back(state);
        if (state == RunState::Paused) {
            isPaused = true;
            if (whenPaused) {
                whenPaused();
            }
        }
    }
    void on(const StepRecord& record)
    {
        losses.push_back(record.lossMean);
        if (afterStep) {
            afterStep(record.step);
        }
    }
    void on(const EvaluationRecord& record) { evaluations.push_back(record); }
    void on(const EvaluatedExamples& told) { evaluated.push_back(told); }
    void on(const WrittenCheckpoint& written) { checkpoints[written.step] = written.file; }
    void on(const PreflightRecord& record) { checklist.push_back(record); }
    void on(const Note& note) { notes.push_back(note.text); }
    void on(const AlertRecord& alert)
    {
        const std::scoped_lock lock(m_mutex);
        m_alerts.push_back(alert);
    }
    void on(const RunConfig& config) { configs.push_back(config); }
    void on(const auto& /*others*/) {}

    mutable std::mutex m_mutex;
    std::vector<AlertRecord> m_alerts;
};

/// Why a run can't even begin; empty if it can.
inline QString refusal(const RunRequest& request)
{
    return failureOf([&] {
        Witness witness;
        const TrainingRun run(request, witness);
    });
}

inline std::vector<double> trainWhole(const RunRequest& request, Witness& witness)
{
    TrainingRun run(request, witness);
    run.train();
    return witness.losses;
}

} // namespace lockstep::test
