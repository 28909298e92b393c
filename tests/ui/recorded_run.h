// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run.h"
#include "storage/store/run_store.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <random>

namespace lockstep::ui {

/// A run of another program, as it lies on disk once its ranks' files are put together: four ranks
/// on two machines. Rank 2 needs 20 ms more than the others for its backward pass of 40 ms; rank 1
/// has no more steps from kRankEnds on. As long as it lives, somebody records it.
class RecordedRun
{
public:
    static constexpr int kRanks = 4;
    static constexpr std::int64_t kBatch = 32;
    static constexpr std::int64_t kRankEnds = 330;
    static constexpr std::int64_t kExamples = 9'469; // of an epoch
    static constexpr const char* kRecorder =
        "lockstep-recorder 0.1.0, PyTorch 2.15.0, DistributedDataParallel (gloo)";

    /// Without figures: nobody told the recorder of batches, rates and epochs.
    explicit RecordedRun(const std::filesystem::path& folder, bool hasFigures = true)
        : m_hasFigures(hasFigures),
          m_folder(RunFolder::create(
              folder, "towers = 4\nbatch_per_tower = " + std::to_string(hasFigures ? kBatch : 0)
                          + "\nsteps = 400\n[model]\nname = 'ResNet-18'\n"
                            "[dataset]\nname = 'Imagenette'\n")),
          m_store(std::make_unique<RunStore>(m_folder.storeFile()))
    {
        m_store->append(RunValue{kRecordedByFact, kRecorder});
        m_store->append(RunValue{
            kTowerDevicesFact, "rank0@node7:cpu rank1@node7:cpu rank2@node8:cpu rank3@node8:cpu"});
        m_store->append(RunValue{kTowerClocksFact, "0 4e-06 2.5e-05 2.5e-05"});
        m_store->append(RunValue{kRunStateFact, "running"});
        RunBranch branch;
        branch.towers = kRanks;
        branch.batchPerTower = hasFigures ? kBatch : 0;
        branch.trainingExamples = hasFigures ? kExamples : 0;
        m_store->startBranch(branch);
    }

    /// So many steps more, and what was measured of the gradients.
    void append(std::int64_t steps)
    {
        for (std::int64_t i = 0; i < steps; ++i) {
            appendStep(m_next++);
        }
        m_store->flush();
    }

    /// How its ranks ended; who looks at it does not yet see that nobody records it.
    void end(const char* state)
    {
        m_store->append(RunValue{kRunStateFact, state});
        m_store->close();
    }

private:
    void appendStep(std::int64_t step)
    {
        const bool isAlone = step >= kRankEnds;
        StepRecord record;
        record.step = step;
        record.examples = m_hasFigures ? (step + 1) * kBatch * kRanks : 0;
        record.learningRate = m_hasFigures ? 0.05 : std::numeric_limits<double>::quiet_NaN();
        record.inputSeconds = 0.002;
        record.averagingSeconds = 0.006 + noise(0.0005);
        record.updateSeconds = 0.004;
        const double trend = 0.7 + 1.6 * std::exp(-static_cast<double>(step) / 130.0);
        double sum = 0.0;
        for (int rank = 0; rank < kRanks; ++rank) {
            TowerRecord tower;
            tower.loss = trend + 0.12 * m_normal(m_random);
            tower.examples = m_hasFigures ? kBatch : 0;
            tower.correct = m_hasFigures ? std::llround(kBatch * (1.0 - trend / 2.6)) : -1;
            tower.startSeconds = noise(0.0005);
            tower.copySeconds = noise(0.001);
            tower.forwardSeconds = 0.02 + noise(0.001);
            tower.backwardSeconds = 0.04 + noise(0.002) + (rank == 2 ? 0.02 : 0.0);
            if (isAlone && rank == 1) {
                tower = TowerRecord();
                tower.loss = std::numeric_limits<double>::quiet_NaN();
            } else {
                sum += tower.loss;
            }
            record.computeSeconds =
                std::max(record.computeSeconds, arrivalSeconds(tower).value_or(0.0));
            record.towers.push_back(tower);
        }
        record.lossMean = sum / (isAlone ? kRanks - 1 : kRanks);
        record.stepSeconds = record.inputSeconds + record.computeSeconds + record.averagingSeconds
                             + record.updateSeconds;
        m_wallSeconds += record.stepSeconds;
        record.wallSeconds = m_wallSeconds;
        m_store->append(std::move(record));
        if (step % 10 == 0 && !isAlone) {
            appendGradients(step);
        }
    }

    /// Those of rank 0 point where the others' do not.
    void appendGradients(std::int64_t step)
    {
        constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
        GradientRecord record;
        record.step = step;
        record.batchPerTower = m_hasFigures ? kBatch : 0;
        for (const char* const name : {"conv1.weight", "layer1.0.conv1.weight", "fc.weight"}) {
            ParameterGradientRecord parameter{name, 0.3, 14.0, kUnknown, {}};
            for (int rank = 0; rank < kRanks; ++rank) {
                parameter.towers.push_back(
                    {0.8 + noise(0.1), (rank == 0 ? 0.15 : 0.35) + noise(0.02)});
            }
            record.parameters.push_back(std::move(parameter));
        }
        m_store->append(std::move(record));
    }

    double noise(double most) { return std::abs(0.5 * most * m_normal(m_random)); }

    const bool m_hasFigures;
    std::int64_t m_next = 0;
    double m_wallSeconds = 0.0;
    std::mt19937_64 m_random{7};
    std::normal_distribution<double> m_normal;
    RunFolder m_folder; ///< its lock
    std::unique_ptr<RunStore> m_store;
};

} // namespace lockstep::ui
