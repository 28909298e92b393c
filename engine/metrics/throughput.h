// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/step_record.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace lockstep {

/// Global batch / step seconds. 0 where no time has passed.
double examplesPerSecond(std::int64_t globalBatch, double stepSeconds);

/// Step seconds / towers: the figure that the classic scripts print as sec/batch. It is the time
/// per tower batch, not the time of a step. Needs towers > 0.
double secondsPerBatch(double stepSeconds, int towers);

/// The rate of the latest steps, wherever one is displayed: in the window, on the terminal, of all
/// towers and of each. The first steps of a run are slower (caches, threads and queues warm up) and
/// are left out. Not thread-safe.
class Throughput
{
public:
    explicit Throughput(std::size_t windowSteps = 100, std::size_t warmUpSteps = 1);

    void add(const StepRecord& record);

    /// Examples of the window / seconds of the window; empty until a step after the warm-up is
    /// there, and where nobody knows how many examples there were.
    [[nodiscard]] std::optional<double> rate() const;
    /// What each tower has a share of that, so they add up to rate(): its examples / seconds of the
    /// window. Of the towers of the latest step; empty as rate().
    [[nodiscard]] std::vector<double> towerRates() const;
    /// Seconds that `steps` more steps take at the mean duration of the window; empty as rate().
    [[nodiscard]] std::optional<double> secondsFor(std::int64_t steps) const;

private:
    struct Step
    {
        std::vector<std::int64_t> examples; ///< by tower
        double seconds = 0.0;
    };
    [[nodiscard]] double seconds() const;

    std::size_t m_windowSteps;
    std::size_t m_warmUpLeft;
    std::deque<Step> m_window;
};

} // namespace lockstep
