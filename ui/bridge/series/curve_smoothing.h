// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <limits>

namespace lockstep::ui {

/// The debiased exponential moving average, as TensorBoard's scalar charts compute it: with weight
/// w,
///   a_k = w a_(k-1) + (1 - w) y_k,  a_0 = 0;  average_k = a_k / (1 - w^k),
/// where k counts finite values only. A value that is not finite is passed on as it is and leaves
/// no trace in the averages after it.
class CurveSmoothing
{
public:
    /// Weight in [0, 1): 0 does not smooth at all.
    explicit CurveSmoothing(double weight = 0.0) : m_weight(weight) {}

    double append(double value)
    {
        if (!std::isfinite(value)) {
            return value;
        }
        m_sum = m_sum * m_weight + (1.0 - m_weight) * value;
        if (m_power < kNoBias) {
            return m_sum;
        }
        m_power *= m_weight;
        return m_sum / (1.0 - m_power);
    }

private:
    /// Below this the bias is lost in rounding, and the division with it.
    static constexpr double kNoBias = std::numeric_limits<double>::epsilon() / 4;

    double m_weight;
    double m_sum = 0.0;
    double m_power = 1.0; // weight to the number of values so far
};

} // namespace lockstep::ui
