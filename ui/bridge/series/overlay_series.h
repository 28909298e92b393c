// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/series_store.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace lockstep::ui {

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
    std::int64_t steps = 1;
    // Of the last tower, as of the last step: see LastTowerStatistics.
    double bias = 0.0;
    double varianceRatio = 0.0;
    std::vector<double> objectives = {}; ///< mean of the towers and steps, of each
};

/// The curves of a run that lies behind the one that is shown, as the charts read them: a few
/// thousand points at most, whatever its length. Not thread-safe.
class OverlaySeries
{
public:
    /// Names of the network's objectives, where it has several.
    explicit OverlaySeries(std::vector<std::string> objectives = {});

    // By ascending step. std::invalid_argument as SeriesStore::append.
    void append(const OverlayNode& node);
    void append(const OverlayFigures& figures);
    /// Accuracy on the test set, 0 to 1, with moving averages of the weights.
    void appendTest(const Moment& moment, double accuracy);

    /// A row for each node.
    [[nodiscard]] const SeriesStore& losses() const noexcept { return m_losses; }
    static constexpr int kMeanLoss = 0;
    static constexpr int kLowestLoss = 1;
    static constexpr int kHighestLoss = 2;
    static constexpr int kExamplesPerSecond = 3;
    [[nodiscard]] const SeriesStore& tests() const noexcept { return m_tests; }
    static constexpr int kAccuracy = 0;
    /// A row for each of OverlayFigures; the objectives stand behind the other two.
    [[nodiscard]] const SeriesStore& figures() const noexcept { return m_figures; }
    static constexpr int kBias = 0;
    static constexpr int kVarianceRatio = 1;
    static constexpr int kObjectives = 2;
    [[nodiscard]] const std::vector<std::string>& objectives() const noexcept
    {
        return m_objectives;
    }
    /// Whether there is a last tower to be compared with others.
    [[nodiscard]] bool hasTowers() const noexcept { return m_hasTowers; }
    void setHasTowers(bool hasTowers) noexcept { m_hasTowers = hasTowers; }

    /// Weight of the moving average for a step, in [0, 1): a node of n steps, which is an average
    /// already, takes its n-th power.
    void setSmoothing(double weight);

private:
    std::vector<std::string> m_objectives;
    SeriesStore m_losses;
    SeriesStore m_tests;
    SeriesStore m_figures;
    std::int64_t m_mostSteps = 1;   // of a node
    std::int64_t m_mostFigures = 1; // of figures
    bool m_hasTowers = false;
};

} // namespace lockstep::ui
