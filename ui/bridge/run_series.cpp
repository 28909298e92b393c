// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/run_series.h"

#include <array>
#include <stdexcept>

namespace lockstep::ui {
namespace {

/// All series of steps are smoothed but the variance ratio, which is a rolling figure already.
std::vector<bool> smoothedSeries(int first, int towers)
{
    std::vector<bool> smoothed(static_cast<std::size_t>(first + towers), true);
    smoothed[RunSeries::kVarianceRatio] = false;
    return smoothed;
}

} // namespace

RunSeries::RunSeries(int towers, int batchPerTower)
    : m_towers(towers), m_batchPerTower(batchPerTower),
      m_steps(smoothedSeries(kTowerLosses, towers)), m_evaluations({false, false}),
      m_row(static_cast<std::size_t>(kTowerLosses + towers))
{
}

void RunSeries::append(const StepPoint& point)
{
    if (point.towerLosses.size() != static_cast<std::size_t>(m_towers)) {
        throw std::invalid_argument("a step needs the loss of every tower");
    }
    m_lastTower.append(point.moment.step, point.towerLosses.back(), point.meanLoss);
    m_row[kMeanLoss] = static_cast<float>(point.meanLoss);
    m_row[kExamplesPerSecond] = static_cast<float>(point.examplesPerSecond);
    m_row[kTrainAccuracy] = static_cast<float>(point.accuracy);
    m_row[kVarianceRatio] = static_cast<float>(m_lastTower.varianceRatio());
    for (std::size_t tower = 0; tower < point.towerLosses.size(); ++tower) {
        m_row[kTowerLosses + tower] = static_cast<float>(point.towerLosses[tower]);
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
