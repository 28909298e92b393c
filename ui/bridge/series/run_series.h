// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/series_store.h"
#include "engine/records.h"

#include <string>

namespace lockstep::ui {

/// What the charts draw of one step.
struct StepPoint
{
    Moment moment;
    std::span<const double> towerLosses; ///< cross-entropies, in tower order
    double meanLoss = 0.0;               ///< their mean
    double examplesPerSecond = 0.0;
    double accuracy = std::numeric_limits<double>::quiet_NaN(); ///< of the training batch, 0 to 1
    /// Of a run with several objectives, in their order: the mean of the towers.
    std::span<const double> objectiveLosses = {};
    /// meanLoss with weight decay; not a number: not known apart.
    double totalLoss = std::numeric_limits<double>::quiet_NaN();
    double learningRate = std::numeric_limits<double>::quiet_NaN();
};

/// The curves of one run, as the charts read them. Lives in the GUI thread.
class RunSeries
{
public:
    /// Needs at least one tower. `objectives`: the names of those of the network, where it has
    /// several; each takes a curve.
    RunSeries(int towers, int batchPerTower, std::vector<std::string> objectives = {});

    /// One step, with a loss for each tower and each objective. std::invalid_argument
    /// as SeriesStore::append.
    void append(const StepPoint& point);
    /// One evaluation on the test set, with the weights as they are and with their moving averages.
    void append(const Moment& moment, const EvaluationRecord& raw, const EvaluationRecord& average);

    [[nodiscard]] int towers() const noexcept { return m_towers; }
    [[nodiscard]] int batchPerTower() const noexcept { return m_batchPerTower; }
    /// Names of those that have curves of their own; empty where the loss is all there is.
    [[nodiscard]] const std::vector<std::string>& objectives() const noexcept
    {
        return m_objectives;
    }

    [[nodiscard]] const SeriesStore& steps() const noexcept { return m_steps; }
    /// Numbers of the series in steps().
    [[nodiscard]] int towerLoss(int tower) const noexcept { return kTowerLosses + tower; }
    [[nodiscard]] int lastTowerLoss() const noexcept { return towerLoss(m_towers - 1); }
    /// Of an objective alone, the mean of the towers.
    [[nodiscard]] int objectiveLoss(int objective) const noexcept
    {
        return kTowerLosses + m_towers + objective;
    }
    static constexpr int kMeanLoss = 0;
    static constexpr int kExamplesPerSecond = 1;
    static constexpr int kTrainAccuracy = 2;
    static constexpr int kVarianceRatio = 3;
    static constexpr int kLastMinusMean = 4;
    static constexpr int kBias = 5;         ///< running mean of last - mean
    static constexpr int kBiasBandLow = 6;  ///< minus two standard errors of it
    static constexpr int kBiasBandHigh = 7; ///< plus two
    /// Between which the variance ratio of independent towers lies.
    static constexpr int kVarianceRatioLow = 8;
    static constexpr int kVarianceRatioHigh = 9;
    /// Of a step's losses, how far the least lies below their mean, and the greatest above it: so
    /// they are smoothed (Smoothing::Distance).
    static constexpr int kBelowMean = 10;
    static constexpr int kAboveMean = 11;
    /// The mean loss with weight decay, where that is known apart; else not a number.
    static constexpr int kTotalLoss = 12;
    static constexpr int kLearningRate = 13;

    [[nodiscard]] const SeriesStore& evaluations() const noexcept { return m_evaluations; }
    /// Numbers of the series in evaluations().
    static constexpr int kTestAccuracy = 0;
    static constexpr int kMovingAverageAccuracy = 1;
    static constexpr int kTestLoss = 2;
    static constexpr int kMovingAverageLoss = 3;
    static constexpr int kAveragePrecision = 4;
    static constexpr int kMovingAverageAveragePrecision = 5;

    /// Whether the network finds what is marked, so that evaluations tell its average precision.
    [[nodiscard]] bool isDetecting() const noexcept { return m_isDetecting; }
    void setDetecting(bool isDetecting) noexcept { m_isDetecting = isDetecting; }

    /// Another program trained it: nothing is tested, and a loss that is no number may only not be
    /// known.
    [[nodiscard]] bool isRecorded() const noexcept { return m_isRecorded; }
    void setRecorded(bool isRecorded) noexcept { m_isRecorded = isRecorded; }
    /// Whether a step has told how many of its examples were classified correctly.
    [[nodiscard]] bool hasAccuracy() const noexcept { return m_hasAccuracy; }

    [[nodiscard]] const LastTowerStatistics& lastTower() const noexcept { return m_lastTower; }
    /// Size of the training set, once it is known.
    void setTrainingExamples(std::int64_t examples) noexcept { m_trainingExamples = examples; }
    /// Var(last) / Var(mean) of towers with distinct examples.
    [[nodiscard]] double expectedVarianceRatio() const
    {
        return lockstep::expectedVarianceRatio(m_towers, m_batchPerTower, m_trainingExamples);
    }

    /// Of the latest steps, for whoever tells it in figures; empty: what the curve says.
    [[nodiscard]] std::optional<double> examplesPerSecond() const noexcept
    {
        return m_examplesPerSecond;
    }
    void setExamplesPerSecond(std::optional<double> rate) noexcept { m_examplesPerSecond = rate; }

    /// Weight that smooths the curves of steps, in [0, 1).
    void setSmoothing(double weight) { m_steps.setSmoothing(weight); }
    /// Steps, ascending, from which the run went on in another way than it had gone: up to there
    /// its smoothed lines are what they were, and from there on they leave them. Returns whether
    /// they are others than before.
    bool setJoints(std::vector<std::int64_t> steps) { return m_steps.setJoints(std::move(steps)); }

private:
    static constexpr int kTowerLosses = 14;

    int m_towers;
    int m_batchPerTower;
    std::vector<std::string> m_objectives;
    SeriesStore m_steps;
    SeriesStore m_evaluations;
    LastTowerStatistics m_lastTower;
    std::optional<double> m_examplesPerSecond;
    std::int64_t m_trainingExamples = 0; ///< 0: not known
    bool m_isDetecting = false;
    bool m_isRecorded = false;
    bool m_hasAccuracy = false;
    std::vector<double> m_row;
};

/// The mean loss over a stretch of consecutive steps of another run.
struct OverlayNode
{
    Moment last; ///< of its last step
    std::int64_t steps = 1;
    // Not a number where no step has a finite loss.
    double lowest = 0.0;
    double highest = 0.0;
    double mean = 0.0;
    double examplesPerSecond = std::numeric_limits<double>::quiet_NaN();
};

/// What else the charts show of a stretch.
struct OverlayFigures
{
    Moment last;
    // Of the last tower, as of the last step: see LastTowerStatistics.
    double bias = 0.0;
    double varianceRatio = 0.0;
};

/// The curves of a run that lies behind the one that is shown, as the charts read them: a few
/// thousand points at most, whatever its length. Not thread-safe.
class OverlaySeries
{
public:
    OverlaySeries();

    // By ascending step. std::invalid_argument as SeriesStore::append.
    void append(const OverlayNode& node);
    void append(const OverlayFigures& figures);
    /// An evaluation on the test set with moving averages of the weights.
    void append(const Moment& moment, const EvaluationRecord& average);

    /// A row for each node.
    [[nodiscard]] const SeriesStore& losses() const noexcept { return m_losses; }
    enum LossSeries { kMeanLoss, kLowestLoss, kHighestLoss, kExamplesPerSecond };
    [[nodiscard]] const SeriesStore& tests() const noexcept { return m_tests; }
    enum TestSeries { kAccuracy, kTestLoss, kAveragePrecision };
    /// A row for each of OverlayFigures.
    [[nodiscard]] const SeriesStore& figures() const noexcept { return m_figures; }
    enum FigureSeries { kBias, kVarianceRatio };
    /// Whether there is a last tower to be compared with others.
    [[nodiscard]] bool hasTowers() const noexcept { return m_hasTowers; }
    void setHasTowers(bool hasTowers) noexcept { m_hasTowers = hasTowers; }
    /// Whether weight decay is in the losses, of a program that did not tell it apart: see
    /// crossEntropy().
    [[nodiscard]] bool isDecayIncluded() const noexcept { return m_isDecayIncluded; }
    void setDecayIncluded(bool isIncluded) noexcept { m_isDecayIncluded = isIncluded; }

    /// Weight of the smoothing for a step, in [0, 1): a node of n steps, which is an average
    /// already, takes its n-th power.
    void setSmoothing(double weight);
    /// Series::beginAt() of the mean loss, behind so many steps.
    void beginAt(double loss, std::int64_t stepsBefore)
    {
        m_losses.beginAt(kMeanLoss, loss, stepsBefore / m_mostSteps);
    }

private:
    SeriesStore m_losses;
    SeriesStore m_tests;
    SeriesStore m_figures;
    std::int64_t m_mostSteps = 1; // of a node
    bool m_hasTowers = false;
    bool m_isDecayIncluded = false;
};

} // namespace lockstep::ui
