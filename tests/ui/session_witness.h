// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/session_controller.h"
#include "engine/run.h"
#include "support/lockstep_test.h"
#include "support/stored_run.h"
#include "support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace lockstep::ui {

using test::storedCrossEntropies;
using test::storedGradients;
using test::storedLosses;

inline RunConfig smallConfig(std::int64_t steps)
{
    return test::smallRunConfig(steps);
}

/// More steps than any test waits for.
inline constexpr std::int64_t kEndless = 100'000'000;

/// A controller and all that it told, with a folder for its runs.
struct SessionWitness
{
    using State = SessionController::State;

    SessionWitness()
    {
        using C = SessionController;
        RunFeed& feed = controller.feed();
        QObject::connect(
            &controller, &C::stateChanged, [this](State state) { states.push_back(state); });
        QObject::connect(&feed, &RunFeed::stepsArrived, [this](const auto& block) {
            steps.insert(steps.end(), block.begin(), block.end());
        });
        QObject::connect(&feed, &RunFeed::checkpointWritten, [this](qint64 step, const auto& file) {
            checkpoints.emplace_back(step, file);
        });
        QObject::connect(&feed, &RunFeed::evaluationArrived, [this](const auto& record) {
            evaluations.push_back(record);
        });
        QObject::connect(&feed, &RunFeed::deviceReadingArrived, [this](const auto& record) {
            readings.push_back(record);
        });
        QObject::connect(&feed, &RunFeed::gradientsArrived, [this](const auto& block) {
            gradients.insert(gradients.end(), block.begin(), block.end());
        });
        QObject::connect(&feed, &RunFeed::noteArrived, [this](const QString& text, bool isWarning) {
            (isWarning ? warnings : notes).append(text);
        });
        QObject::connect(
            &feed, &RunFeed::alertArrived, [this](const auto& alert) { alerts.push_back(alert); });
        QObject::connect(&feed, &RunFeed::configChanged, [this](const auto& config) {
            configs.push_back(config);
        });
        QObject::connect(&controller, &C::failed, [this](const QString& text) { failure = text; });
    }

    [[nodiscard]] std::filesystem::path run() const { return folder / "run"; }
    void start(const RunConfig& config, bool isResume = false)
    {
        controller.start({config, run(), isResume});
    }
    /// To its end.
    void train(const RunConfig& config, bool isResume = false)
    {
        start(config, isResume);
        QTRY_COMPARE(controller.state(), State::Finished);
    }

    /// Whether these losses arrived, in order and without gaps from step 0 on.
    [[nodiscard]] bool hasLosses(const std::vector<double>& losses) const
    {
        bool isEqual = steps.size() == losses.size();
        for (std::size_t i = 0; isEqual && i < steps.size(); ++i) {
            isEqual =
                steps[i].step == static_cast<std::int64_t>(i) && steps[i].lossMean == losses[i];
        }
        return isEqual;
    }

    const test::TemporaryFolder folder;
    std::vector<State> states;
    std::vector<StepRecord> steps;
    std::vector<std::pair<qint64, std::filesystem::path>> checkpoints;
    std::vector<EvaluationRecord> evaluations;
    std::vector<DeviceReadingRecord> readings;
    std::vector<GradientRecord> gradients;
    std::vector<AlertRecord> alerts;
    std::vector<RunConfig> configs;
    QStringList notes;
    QStringList warnings;
    QString failure;
    SessionController controller; // ends first
};

/// Makes a run that was trained on the CPU one of two GPUs, which told this of themselves: towers
/// on both, readings of an earlier and of a last second, the second GPU slowed in the last one.
inline void tellOfTwoGpus(const std::filesystem::path& folder, int towers)
{
    RunStore store(RunFolder::storeFileOf(folder));
    std::string places;
    for (int tower = 0; tower < towers; ++tower) {
        places += tower < towers / 2 ? "cuda:0 " : "cuda:1 ";
    }
    store.append(RunValue{kTowerDevicesFact, places});
    constexpr std::int64_t kUsed = 76'450'000'000;
    constexpr std::int64_t kTotal = 150'100'000'000;
    store.append(DeviceReadingRecord{1.0, 1, "cuda:0", kUsed, kTotal, 0.1, 40.0, 120.0, {}});
    store.append(DeviceReadingRecord{2.0, 2, "cuda:0", kUsed, kTotal, 0.97, 64.0, 655.0, {}});
    store.append(
        DeviceReadingRecord{2.0, 2, "cuda:1", kUsed / 2, kTotal, 1.0, 83.0, 698.0, "power limit"});
}

} // namespace lockstep::ui

/// Waits until the controller of the SessionWitness `witness` is in a state.
#define WAIT_FOR(state_) QTRY_COMPARE(witness.controller.state(), SessionController::State::state_)
