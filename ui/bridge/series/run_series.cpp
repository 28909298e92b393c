// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/run_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace lockstep::ui {
namespace {

/// All series of steps are smoothed but those that are rolled over steps already.
std::vector<bool> smoothedSeries(std::size_t series)
{
    std::vector<bool> smoothed(series, true);
    for (const int rolled :
         {RunSeries::kVarianceRatio, RunSeries::kBias, RunSeries::kBiasBandLow,
          RunSeries::kBiasBandHigh, RunSeries::kVarianceRatioLow, RunSeries::kVarianceRatioHigh}) {
        smoothed[static_cast<std::size_t>(rolled)] = false;
    }
    return smoothed;
}

/// The least and the greatest of the towers that there are; not a number where their mean is none.
std::pair<float, float> extentOf(std::span<const double> losses, double mean)
{
    if (!std::isfinite(mean)) {
        return {std::nanf(""), std::nanf("")};
    }
    double least = mean;
    double greatest = mean;
    for (const double loss : losses) {
        least = std::fmin(least, loss);
        greatest = std::fmax(greatest, loss);
    }
    return {static_cast<float>(least), static_cast<float>(greatest)};
}

} // namespace

RunSeries::RunSeries(int towers, int batchPerTower, std::vector<std::string> objectives)
    : m_towers(towers), m_batchPerTower(batchPerTower), m_objectives(std::move(objectives)),
      m_steps(smoothedSeries(
          static_cast<std::size_t>(objectiveMean(static_cast<int>(m_objectives.size()))))),
      m_evaluations({false, false}), m_row(static_cast<std::size_t>(m_steps.seriesCount()))
{
}

void RunSeries::append(const StepPoint& point)
{
    if (point.towerLosses.size() != static_cast<std::size_t>(m_towers)) {
        throw std::invalid_argument("a step needs the loss of every tower");
    }
    const auto firstObjective = static_cast<std::size_t>(objectiveMean(0));
    const auto towers = static_cast<std::size_t>(m_towers);
    if (point.objectiveLosses.size() != m_objectives.size() * (towers + 1)) {
        throw std::invalid_argument("a step needs every loss of every objective");
    }
    m_lastTower.append(point.moment.step, point.towerLosses, point.meanLoss);
    const double twoErrors = 2.0 * m_lastTower.bias().standardError();
    m_row[kMeanLoss] = static_cast<float>(point.meanLoss);
    m_row[kExamplesPerSecond] = static_cast<float>(point.examplesPerSecond);
    m_row[kTrainAccuracy] = static_cast<float>(point.accuracy);
    m_row[kVarianceRatio] = static_cast<float>(m_lastTower.varianceRatio());
    const RatioInterval interval = ratioInterval(expectedVarianceRatio(), m_lastTower.variances());
    const bool hasRatio = m_lastTower.variances().steps > 0;
    m_row[kVarianceRatioLow] = hasRatio ? static_cast<float>(interval.low) : std::nanf("");
    m_row[kVarianceRatioHigh] = hasRatio ? static_cast<float>(interval.high) : std::nanf("");
    m_row[kLastMinusMean] = static_cast<float>(point.towerLosses.back() - point.meanLoss);
    m_row[kBias] = static_cast<float>(m_lastTower.bias().mean());
    m_row[kBiasBandLow] = static_cast<float>(-twoErrors);
    m_row[kBiasBandHigh] = static_cast<float>(twoErrors);
    for (std::size_t tower = 0; tower < towers; ++tower) {
        m_row[kTowerLosses + tower] = static_cast<float>(point.towerLosses[tower]);
    }
    std::tie(m_row[kLeastLoss], m_row[kGreatestLoss]) = extentOf(point.towerLosses, point.meanLoss);
    for (std::size_t objective = 0; objective < m_objectives.size(); ++objective) {
        const auto losses = point.objectiveLosses.subspan(objective * (towers + 1), towers + 1);
        auto* const row = &m_row[firstObjective + objective * (towers + 3)];
        std::ranges::transform(losses, row, [](double loss) { return static_cast<float>(loss); });
        std::tie(row[towers + 1], row[towers + 2]) = extentOf(losses.subspan(1), losses.front());
    }
    m_steps.append(point.moment, m_row);
}

void RunSeries::append(const EvaluationPoint& point)
{
    m_evaluations.append(
        point.moment,
        std::array{
            static_cast<float>(point.accuracy), static_cast<float>(point.movingAverageAccuracy)});
}

} // namespace lockstep::ui
