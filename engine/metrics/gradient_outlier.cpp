// SPDX-License-Identifier: Apache-2.0
#include "metrics/gradient_outlier.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

constexpr std::size_t kRecent = 20;
constexpr std::size_t kMost = 100;
constexpr std::size_t kLeastRecords = 8;
constexpr std::size_t kLeastTowers = 3;
constexpr double kStandardErrors = 5.0;
constexpr double kShare = 0.5;

double meanOfOthers(const std::vector<double>& cosines, std::size_t tower)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < cosines.size(); ++i) {
        sum += i == tower ? 0.0 : cosines[i];
    }
    return sum / static_cast<double>(cosines.size() - 1);
}

/// Mean and its standard error.
struct Estimate
{
    double mean = 0.0;
    double error = 0.0;
};

Estimate estimateOf(const std::vector<double>& values)
{
    const auto count = static_cast<double>(values.size());
    Estimate estimate;
    for (const double value : values) {
        estimate.mean += value / count;
    }
    double squares = 0.0;
    for (const double value : values) {
        squares += (value - estimate.mean) * (value - estimate.mean);
    }
    estimate.error = std::sqrt(squares / (count - 1.0) / count);
    return estimate;
}

} // namespace

void GradientOutlier::add(const GradientAgreement& agreement)
{
    const std::vector<double>& cosines = agreement.whole.cosinesToOthers;
    if (!m_cosines.empty() && m_cosines.front().size() != cosines.size()) {
        m_cosines.clear();
    }
    if (cosines.size() < kLeastTowers
        || !std::ranges::all_of(cosines, [](double cosine) { return std::isfinite(cosine); })) {
        return;
    }
    m_cosines.push_back(cosines);
    if (m_cosines.size() > kMost) {
        m_cosines.pop_front();
    }
}

std::optional<OutlyingTower> GradientOutlier::find() const
{
    const std::optional<OutlyingTower> recent = findIn(std::min(kRecent, m_cosines.size()));
    return recent ? recent : findIn(m_cosines.size());
}

/// In the last so many.
std::optional<OutlyingTower> GradientOutlier::findIn(std::size_t records) const
{
    if (records < kLeastRecords) {
        return std::nullopt;
    }
    std::optional<OutlyingTower> worst;
    for (std::size_t tower = 0; tower < m_cosines.front().size(); ++tower) {
        std::vector<double> differences;
        double own = 0.0;
        for (std::size_t i = m_cosines.size() - records; i < m_cosines.size(); ++i) {
            own += m_cosines[i][tower] / static_cast<double>(records);
            differences.push_back(meanOfOthers(m_cosines[i], tower) - m_cosines[i][tower]);
        }
        const Estimate difference = estimateOf(differences);
        const double others = own + difference.mean;
        const bool isLow = difference.mean > kStandardErrors * difference.error
                           && own < kShare * others && others > 0.0;
        if (isLow && (!worst || own < worst->cosine)) {
            worst = OutlyingTower{static_cast<int>(tower), own, others};
        }
    }
    return worst;
}

} // namespace lockstep
