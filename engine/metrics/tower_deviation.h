// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lockstep {

/// How far a tower lies from the others over a window of steps.
struct TowerDeviation
{
    double mean = 0.0;          ///< of (its value - mean of the others' values)
    double standardError = 0.0; ///< of that mean, from its scatter over the steps
    double others = 0.0;        ///< mean of the others' values
};

/// Compares the towers of a run by one figure that each has in every step, say the loss, over
/// windows of so many steps, one after the other. Deviations of the same step are compared, so a
/// trend that all towers share does not count. Allocates only when it is made. Not thread-safe.
class TowerComparison
{
public:
    TowerComparison(std::size_t towers, std::int64_t windowSteps);

    /// The towers' figures of the next step, as many as there are towers. True when a window is
    /// complete: deviation() is of that one.
    bool add(std::span<const double> values);

    [[nodiscard]] std::size_t towers() const noexcept { return m_deviations.size(); }
    [[nodiscard]] const TowerDeviation& deviation(std::size_t tower) const
    {
        return m_deviations[tower];
    }

private:
    /// Mean and squares by Welford's method: the differences are small beside the values.
    struct Sum
    {
        double mean = 0.0;
        double squares = 0.0;
        double others = 0.0;
    };

    void conclude();

    std::int64_t m_windowSteps;
    std::int64_t m_steps = 0;
    std::vector<Sum> m_sums;
    std::vector<TowerDeviation> m_deviations;
};

} // namespace lockstep
