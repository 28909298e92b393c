// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/tower_evidence.h"

#include "base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

constexpr double kScatterRecords = 64.0;
constexpr double kMostDistance = 4.0;
/// So far above what is needed evidence grows no further: what is over is over soon.
constexpr double kMostEvidence = 1e6;
/// Rounding makes towers differ that compute the same: that is no scatter.
constexpr double kRounding = 1e-9;

} // namespace

TowerEvidence::TowerEvidence(std::size_t towers, const Limits& limits)
    : m_limits(limits), m_recent(towers), m_evidence(2 * kSizes.size() * towers, 0.0),
      m_distances(towers), m_powers(towers)
{
    require(towers >= 2, "it takes two towers to compare");
}

void TowerEvidence::forget()
{
    *this = TowerEvidence(towers(), m_limits);
}

/// Of a change that begins with this record. Sums up to 1 over all records.
double TowerEvidence::startWeight() const
{
    const auto record = static_cast<double>(m_records);
    const double first = m_limits.firstRecords;
    return record <= first ? 0.5 / first : 0.5 * first / (record * (record - 1.0));
}

void TowerEvidence::add(std::span<const double> values)
{
    if (values.size() != towers()
        || !std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
        return;
    }
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    const double keep = 1.0 - 1.0 / m_limits.recentRecords;
    m_recentWeight = keep * m_recentWeight + 1.0 - keep;
    double squares = 0.0;
    for (std::size_t tower = 0; tower < values.size(); ++tower) {
        Recent& recent = m_recent[tower];
        recent.own = keep * recent.own + (1.0 - keep) * values[tower];
        recent.all = keep * recent.all + (1.0 - keep) * mean;
        m_distances[tower] = values[tower] - mean;
        squares += m_distances[tower] * m_distances[tower];
    }
    squares /= count - 1.0;
    ++m_records;
    const double share = std::max(1.0 / kScatterRecords, 1.0 / static_cast<double>(m_records));
    m_squares += share * (squares - m_squares);
    const double scatter = std::sqrt(m_squares);
    if (scatter <= kRounding * std::abs(mean)) {
        return;
    }
    for (double& distance : m_distances) {
        distance = std::clamp(distance / scatter, -kMostDistance, kMostDistance);
    }
    weigh(startWeight());
}

void TowerEvidence::weigh(double startWeight)
{
    const auto count = static_cast<double>(towers());
    const double most = kMostEvidence * count / m_limits.wrongRate;
    for (std::size_t size = 0; size < kSizes.size(); ++size) {
        double up = 0.0;
        double down = 0.0;
        for (std::size_t tower = 0; tower < towers(); ++tower) {
            m_powers[tower] = std::exp(kSizes[size] * m_distances[tower]);
            up += m_powers[tower];
            down += 1.0 / m_powers[tower];
        }
        double* const evidence = m_evidence.data() + 2 * size * towers();
        for (std::size_t tower = 0; tower < towers(); ++tower) {
            double& above = evidence[tower];
            double& below = evidence[towers() + tower];
            above = std::min(most, (above + startWeight) * count * m_powers[tower] / up);
            below = std::min(most, (below + startWeight) * count / (m_powers[tower] * down));
        }
    }
}

double TowerEvidence::deviation(std::size_t tower) const
{
    const auto count = static_cast<double>(towers());
    const Recent& recent = m_recent[tower];
    return m_recentWeight > 0.0 ? (recent.own - recent.all) / m_recentWeight * count / (count - 1.0)
                                : 0.0;
}

double TowerEvidence::others(std::size_t tower) const
{
    return m_recentWeight > 0.0 ? m_recent[tower].own / m_recentWeight - deviation(tower) : 0.0;
}

std::optional<std::size_t> TowerEvidence::outlier() const
{
    std::size_t farthest = 0;
    for (std::size_t tower = 1; tower < towers(); ++tower) {
        if (std::abs(deviation(tower)) > std::abs(deviation(farthest))) {
            farthest = tower;
        }
    }
    double sum = 0.0;
    for (std::size_t each = farthest; each < m_evidence.size(); each += towers()) {
        sum += m_evidence[each];
    }
    const double hypotheses = 2.0 * static_cast<double>(kSizes.size());
    const double needed = static_cast<double>(towers()) / m_limits.wrongRate;
    return sum / hypotheses >= needed ? std::optional(farthest) : std::nullopt;
}

} // namespace lockstep
