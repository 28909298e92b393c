// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/curve_smoothing.h"

namespace lockstep::ui {
namespace {

/// Steps there are, for each that is smoothed over.
constexpr double kStepsPerWidth = 5.0;
/// What a value weighs that a float does not show beside 1, times its distance too.
constexpr double kNoWeight = 0x1p-28;

/// Values after which a weight is nothing.
std::int64_t horizonOf(double weight)
{
    return weight > 0.0 ? std::llround(std::ceil(std::log(kNoWeight) / std::log(weight))) : 0;
}

} // namespace

AllowedSmoothing allowedSmoothing(double weight, std::int64_t values)
{
    const double wanted = kStepsPerWidth * (1.0 + weight) / (1.0 - weight);
    std::int64_t stage = 0;
    std::int64_t next = 1;
    while (next <= values && static_cast<double>(stage) < wanted) {
        stage = next;
        next += std::max<std::int64_t>(1, next / 4);
    }
    if (static_cast<double>(stage) >= wanted) {
        return {weight, std::numeric_limits<std::int64_t>::max()};
    }
    const double width = std::max(1.0, static_cast<double>(stage) / kStepsPerWidth);
    return {(width - 1.0) / (width + 1.0), next};
}

CurveSmoothing::CurveSmoothing(Smoothing kind, double weight, std::optional<double> start)
    : m_kind(kind), m_weight(weight), m_start(weight > 0.0 ? start : std::nullopt),
      m_horizon(std::max(horizonOf(weight), kEnd))
{
    if (m_start) {
        m_start = placeOf(*m_start);
        m_range.add(*m_start);
        m_beginning.add(*m_start);
    }
}

double CurveSmoothing::trend(const Weights& weights, const Sums& sums)
{
    const double determinant = weights.s0 * weights.s2 - weights.s1 * weights.s1;
    return determinant > 0.0 ? (weights.s2 * sums.t0 - weights.s1 * sums.t1) / determinant
                             : sums.t0 / weights.s0;
}

void CurveSmoothing::appendFirst(double value)
{
    m_beginning.add(value);
    if (m_count < kEnd) {
        m_firstRange.add(value);
    }
    if (m_count >= m_horizon) {
        return;
    }
    Weights next;
    if (m_count > 0) {
        const Weights& before = m_weights.back();
        next.s2 = m_weight * (before.s2 + 2.0 * before.s1 + before.s0);
        next.s1 = m_weight * (before.s1 + before.s0);
        next.s0 = m_weight * before.s0 + 1.0;
        next.last = m_weight * before.last;
    }
    m_weights.push_back(next);
    m_first.t0 += next.last * value;
    m_first.t1 += next.last * static_cast<double>(m_count) * value;
}

CurveSmoothing::Range CurveSmoothing::rangeOfLast() const
{
    Range range;
    const std::int64_t end = std::ssize(m_open);
    for (std::int64_t i = std::max<std::int64_t>(0, end - kEnd); i < end; ++i) {
        range.add(m_open[static_cast<std::size_t>(i)].value);
    }
    return range;
}

/// What is added at the first and at the last value, so that the line has there what it lacks when
/// that of the other end has faded.
std::pair<double, double> CurveSmoothing::corrections() const
{
    const std::int64_t last = m_count - 1;
    const double fade = fadeOf(last);
    const double began = trend(weightsOf(last), m_first);
    const double first = m_start ? *m_start - began : m_firstRange.lacking(began);
    if (last == 0) {
        return {first, 0.0};
    }
    const double ended = trend(weightsOf(last), m_past) + fade * first;
    const double end = fade * first + rangeOfLast().lacking(ended);
    const double share = 1.0 / (1.0 - fade * fade);
    return {share * (first - fade * end), share * (end - fade * first)};
}

void CurveSmoothing::settleOpen(ChunkedArray<float>& smoothed)
{
    m_isSettled = true;
    const std::int64_t last = m_count - 1;
    const auto [atFirst, atLast] = corrections();
    const double inside = 1.0 / (2.0 * m_weights.back().s0 - 1.0);
    Sums future;
    for (std::int64_t behind = 0; behind < std::ssize(m_open); ++behind) {
        const Open& open = m_open[static_cast<std::size_t>(std::ssize(m_open) - 1 - behind)];
        const std::int64_t before = last - behind;
        future.add(open.value, m_weight);
        // The value itself is in the sums of both sides.
        const Sums both{open.past.t0 + future.t0 - open.value, future.t1 - open.past.t1};
        double value = inside * both.t0;
        if (before < m_horizon || behind < m_horizon) {
            const Weights& left = weightsOf(before);
            const Weights& right = weightsOf(behind);
            const Weights weights{left.s0 + right.s0 - 1.0, right.s1 - left.s1, left.s2 + right.s2};
            value = both.t0 / weights.s0;
            if (m_kind != Smoothing::Distance) {
                const Range& range = before < m_horizon ? m_beginning : m_range;
                const double line =
                    trend(weights, both) + fadeOf(before) * atFirst + fadeOf(behind) * atLast;
                value = std::clamp(line, range.least, range.greatest);
            }
        }
        smoothed.set(open.row, static_cast<float>(placeOf(value)));
    }
    // The first ones wait until all that they know is there.
    if (m_count >= 2 * m_horizon && std::ssize(m_open) > m_horizon) {
        m_open.erase(m_open.begin(), m_open.end() - m_horizon);
    }
}

} // namespace lockstep::ui
