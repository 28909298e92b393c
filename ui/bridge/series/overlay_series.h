// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/series_store.h"

#include <cstdint>

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
};

/// The curves of a run that lies behind the one that is shown, as the charts read them: a few
/// thousand points at most, whatever its length. Not thread-safe.
class OverlaySeries
{
public:
    OverlaySeries();

    /// By ascending step. std::invalid_argument as SeriesStore::append.
    void append(const OverlayNode& node);
    /// Accuracy on the test set, 0 to 1, with moving averages of the weights.
    void appendTest(const Moment& moment, double accuracy);

    /// A row for each node.
    [[nodiscard]] const SeriesStore& losses() const noexcept { return m_losses; }
    static constexpr int kMeanLoss = 0;
    static constexpr int kLowestLoss = 1;
    static constexpr int kHighestLoss = 2;
    [[nodiscard]] const SeriesStore& tests() const noexcept { return m_tests; }
    static constexpr int kAccuracy = 0;

    /// Weight of the moving average for a step, in [0, 1): a node of n steps, which is an average
    /// already, takes its n-th power.
    void setSmoothing(double weight);

private:
    SeriesStore m_losses;
    SeriesStore m_tests;
    std::int64_t m_mostSteps = 1; // of a node
};

} // namespace lockstep::ui
