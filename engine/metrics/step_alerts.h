// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/alert_record.h"
#include "metrics/alert_settings.h"
#include "metrics/loss_trend.h"
#include "metrics/step_record.h"
#include "metrics/tower_deviation.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace lockstep {

/// Finds in the steps of a run what a person should hear of. Each thing is told once when it begins
/// and once when it is over; between the two limits that begin and end it nothing is said, so that
/// it does not flutter.
///
/// - Plateau: the loss's trend over the window (LossTrend) is not below 0 at the 5 % level. Over
///   when it is at the 0.05 % level, or when the learning rate has changed by half: then the window
///   begins anew. At a learning rate of 0 no loss is expected to fall.
/// - Input-bound: of the last 100 steps' time more than the share went into waiting for data. Over
///   below half of that.
/// - Tower's loss: over 200 steps the mean of (its loss - mean of the others') is more than 5
///   standard errors and more than the share of the others' loss away from 0. Of two towers it
///   can't be said which one drifts: the one with the higher loss is named. Over when in a later
///   window it is less than half the share.
/// - Slow tower: over 200 steps the tower is at work longer than the others on average by more than
///   5 standard errors and more than the share of the step. Over below half of that.
/// - Of the towers that stand out the farthest is told of, and no other until that one is over:
///   also when another one is more than twice as far.
///
/// A step costs some additions and no allocation except for an alert's text. One thread.
class StepAlerts
{
public:
    static constexpr std::size_t kInputSteps = 100;
    static constexpr std::int64_t kTowerSteps = 200;
    static constexpr double kStandardErrors = 5.0;

    using Tell = std::function<void(const AlertRecord&)>;

    StepAlerts(const AlertSettings& settings, std::size_t towers, Tell tell);

    /// The next step of the run.
    void take(const StepRecord& step);

private:
    /// A comparison of the towers by one figure, and who stands out.
    struct TowerWatch
    {
        AlertKind kind;
        double share; ///< of what is compared with; 0: off
        std::optional<TowerComparison> comparison;
        int told = -1;
    };

    void checkTrend(const StepRecord& step);
    void checkInput(const StepRecord& step);
    void checkTowers(const StepRecord& step);
    void conclude(TowerWatch& watch, double reference);
    void tellOutstanding(const TowerWatch& watch, double reference) const;
    [[nodiscard]] static bool isOfTwoLosses(const TowerWatch& watch);
    [[nodiscard]] static double distance(const TowerWatch& watch, std::size_t tower);
    [[nodiscard]] static int outstanding(const TowerWatch& watch, double reference);
    [[nodiscard]] static bool isOver(const TowerWatch& watch, double reference, int found);
    void tell(
        AlertKind kind, bool isOver, const std::string& text, const AlertFigures& figures,
        int tower = -1) const;

    AlertSettings m_settings;
    Tell m_tell;
    std::int64_t m_stepsMade = 0;

    std::optional<LossTrend> m_trend;
    double m_learningRate = -1.0;
    bool m_isPlateau = false;

    struct InputTime
    {
        double waiting = 0.0;
        double step = 0.0;
    };
    std::array<InputTime, kInputSteps> m_inputTimes{};
    std::size_t m_inputCount = 0;
    bool m_isInputBound = false;

    TowerWatch m_loss;
    TowerWatch m_pace;
    double m_stepSeconds = 0.0; ///< of the window of m_pace
    std::vector<double> m_values;
};

/// So long no step may take before a run counts as stuck: `seconds`, and 20 times the median of the
/// last steps; while there were none, 10 times `seconds`, as a first step may have to prepare much.
/// Reorders `lastSteps`.
double stuckLimit(double seconds, std::span<double> lastSteps);

} // namespace lockstep
