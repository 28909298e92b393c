// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/series/timeline.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// What the values of a series are to those who smooth them.
enum class Smoothing {
    None,     ///< they stay what they are
    Line,     ///< places that a line goes through
    Rate,     ///< so many a second, above 0: as Line, but of the seconds that each one takes
    Distance, ///< how far something lies from such a line: 0 or more
};

/// The heaviest weight up to the chosen one that so many values allow, and from how many values on
/// a greater one is allowed.
struct AllowedSmoothing
{
    double weight = 0.0;
    std::int64_t until = 0;
};

/// A weight w smooths over about (1 + w) / (1 - w) values: the equal weights of so many would leave
/// as much noise. That is never more than a fifth of those there are, else a short run would be a
/// flat line. It grows with them in stages of a quarter, so that smoothing all anew at each stage
/// costs a value a few times what it costs once, and depends on their number alone: a run that is
/// opened looks as it did while it was trained.
AllowedSmoothing allowedSmoothing(double weight, std::int64_t values);

/// The trend of values at each of them, of which others weigh less by a factor w the farther they
/// are; distance d counts finite values only. It looks both ways, so it does not lag behind what it
/// smooths. What is not finite has no trend and leaves no trace in others.
///
/// Smoothing::Line: the straight line of least squares through all values, weighted by w^|d|, at
/// its middle (local linear regression; Fan and Gijbels, Local Polynomial Modelling, 1996):
///   s = (S2 T0 - S1 T1) / (S0 S2 - S1^2),  Sj = sum d^j w^|d|,  Tj = sum d^j w^|d| y.
/// Away from both ends S1 is 0 and this is the weighted mean T0 / S0, which at an end would lie
/// where the middle of one side's values is: too low at the beginning of a fall, too high at its
/// end. A line is right there, but less sure: for w near 1 the variance at an end is 1.25 (1 - w)
/// that of a value, five times that inside; of w = 0.9 a third of the noise's deviation. A wider
/// kernel at the ends would be surer, but wrong wherever the values bend, and a narrower one would
/// end in a hook, so the width stays. What is wrong in spite of the line, as just behind a jump, is
/// put right by the values: at the ends the trend lies within the ten values there, what it lacks
/// is added and fades by w with every value, and it never leaves the range of all values.
///
/// Smoothing::Rate: the reciprocal of the line through the reciprocals, thus what was done in all
/// the time of the values around each (their harmonic mean): slow steps count by how long they
/// took.
///
/// Smoothing::Distance: the weighted mean T0 / S0. Its weights are positive everywhere, so that it
/// is never below 0, as a line might be at an end: what is drawn so far from a smoothed line stays
/// on its side of it.
///
/// A trend changes while later values arrive until they weigh no more than a float can show; those
/// that still may are kept open, a few thousand at most. Not thread-safe.
class CurveSmoothing
{
public:
    /// Weight in [0, 1): 0 does not smooth at all. `start`: where a line that is smoothed begins,
    /// whatever its first values are.
    explicit CurveSmoothing(
        Smoothing kind, double weight = 0.0, std::optional<double> start = std::nullopt);

    [[nodiscard]] Smoothing kind() const noexcept { return m_kind; }
    [[nodiscard]] double weight() const noexcept { return m_weight; }

    /// A finite value in this row; rows ascend. Settles what is open when that is much.
    void append(std::int64_t row, double value, ChunkedArray<float>& smoothed)
    {
        if (std::ssize(m_open) >= 2 * m_horizon + kMostSettled) {
            settle(smoothed);
        }
        const double place = placeOf(value);
        if (m_count < 2 * m_horizon) {
            appendFirst(place);
        }
        m_past.add(place, m_weight);
        m_range.add(place);
        m_open.push_back({row, place, m_past});
        ++m_count;
        m_isSettled = false;
    }

    /// Writes the trend of all rows whose trend has changed since the last time.
    void settle(ChunkedArray<float>& smoothed)
    {
        if (!m_isSettled) {
            settleOpen(smoothed);
        }
    }

private:
    /// Values at each end between which the line ends.
    static constexpr std::int64_t kEnd = 10;
    static constexpr std::int64_t kMostSettled = 1024;

    /// Of values at the distances 0 to n: S0 to S2, and w^n.
    struct Weights
    {
        double s0 = 1.0;
        double s1 = 0.0;
        double s2 = 0.0;
        double last = 1.0;
    };
    /// Over a value and all on one side of it: T0, and T1 with distances above 0.
    struct Sums
    {
        double t0 = 0.0;
        double t1 = 0.0;

        /// All others are one farther away.
        void add(double value, double weight)
        {
            t1 = weight * (t1 + t0);
            t0 = weight * t0 + value;
        }
    };
    struct Range
    {
        double least = std::numeric_limits<double>::infinity();
        double greatest = -std::numeric_limits<double>::infinity();

        void add(double value)
        {
            least = std::min(least, value);
            greatest = std::max(greatest, value);
        }
        [[nodiscard]] double lacking(double value) const
        {
            return std::clamp(value, least, greatest) - value;
        }
    };
    struct Open
    {
        std::int64_t row;
        double value;
        Sums past;
    };

    /// What is smoothed of a value; of that it gives the value back.
    [[nodiscard]] double placeOf(double value) const
    {
        return m_kind == Smoothing::Rate ? 1.0 / value : value;
    }
    static double trend(const Weights& weights, const Sums& sums);
    /// By the number of values on that side.
    [[nodiscard]] const Weights& weightsOf(std::int64_t values) const
    {
        return m_weights[static_cast<std::size_t>(std::min(values, m_horizon - 1))];
    }
    [[nodiscard]] double fadeOf(std::int64_t distance) const
    {
        return distance < m_horizon ? weightsOf(distance).last : 0.0;
    }
    void appendFirst(double value);
    void settleOpen(ChunkedArray<float>& smoothed);
    [[nodiscard]] Range rangeOfLast() const;
    [[nodiscard]] std::pair<double, double> corrections() const;

    Smoothing m_kind;
    double m_weight;
    std::optional<double> m_start;
    std::int64_t m_horizon; ///< so many values away one weighs nothing
    std::int64_t m_count = 0;
    std::vector<Weights> m_weights; ///< by distance, to the horizon
    Sums m_past;                    ///< as seen from the newest value
    Sums m_first;                   ///< as seen from the first one
    Range m_range;                  ///< of all values
    Range m_beginning;              ///< of those that the first ones' trends know
    Range m_firstRange;             ///< of kEnd
    std::vector<Open> m_open;
    bool m_isSettled = true;
};

} // namespace lockstep::ui
