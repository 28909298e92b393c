// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::ui {

/// The average of all values around one, of which each weighs less by a factor w the farther it is:
///   s_k = sum_i w^|k - i| y_i / sum_i w^|k - i|,
/// where distance counts finite values only. It looks both ways, so it does not lag behind what it
/// averages, and all weights are positive: where one series is below another, so are their
/// averages. At the newest value it is the debiased exponential moving average. What is not finite
/// has no average and leaves no trace in others.
///
/// An average changes while later values arrive until they weigh no more than a float can show;
/// those that still may are kept open, a few thousand at most. Not thread-safe.
class CurveSmoothing
{
public:
    /// Weight in [0, 1): 0 does not smooth at all.
    explicit CurveSmoothing(double weight = 0.0)
        : m_weight(weight),
          m_horizon(weight > 0.0 ? std::ceil(std::log(kNoWeight) / std::log(weight)) : 0.0)
    {
    }

    /// A finite value in this row; rows ascend.
    void append(std::int64_t row, double value)
    {
        m_sum = m_sum * m_weight + value;
        m_weights = m_weights * m_weight + 1.0;
        m_open.push_back({row, value, m_sum, m_weights});
    }

    /// Whether settle() should be called before more is appended.
    [[nodiscard]] bool isFull() const
    {
        return static_cast<double>(m_open.size()) >= 2.0 * m_horizon + kMostSettled;
    }

    /// Calls `set(row, average)` for all that changed since the last time.
    template<typename Set>
    void settle(const Set& set)
    {
        double sum = 0.0;
        double weights = 0.0;
        for (std::size_t left = m_open.size(); left > 0; --left) {
            const Open& open = m_open[left - 1];
            // The value itself is in the sums of both directions.
            set(open.row, (open.sum + m_weight * sum) / (open.weights + m_weight * weights));
            sum = sum * m_weight + open.value;
            weights = weights * m_weight + 1.0;
        }
        const double done = static_cast<double>(m_open.size()) - m_horizon;
        if (done > 0.0) {
            m_open.erase(m_open.begin(), m_open.begin() + static_cast<std::ptrdiff_t>(done));
        }
    }

private:
    /// What a value weighs that a float does not show beside 1.
    static constexpr double kNoWeight = 0x1p-24;
    static constexpr double kMostSettled = 1024.0;

    struct Open
    {
        std::int64_t row;
        double value;
        double sum; ///< of all values up to it, and of their weights
        double weights;
    };

    double m_weight;
    double m_horizon; // in finite values
    double m_sum = 0.0;
    double m_weights = 0.0;
    std::vector<Open> m_open;
};

} // namespace lockstep::ui
