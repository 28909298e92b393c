// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/run_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace lockstep::ui {
namespace {

/// The least and the greatest of the towers that there are; not a number where their mean is none.
std::pair<double, double> extentOf(std::span<const double> losses, double mean)
{
    if (!std::isfinite(mean)) {
        return {std::nan(""), std::nan("")};
    }
    std::pair extent(mean, mean);
    for (const double loss : losses) {
        extent = {std::fmin(extent.first, loss), std::fmax(extent.second, loss)};
    }
    return extent;
}

} // namespace

RunSeries::RunSeries(int towers, int batchPerTower, std::vector<std::string> objectives)
    : m_towers(towers), m_batchPerTower(batchPerTower), m_objectives(std::move(objectives)),
      m_steps(
          static_cast<std::size_t>(objectiveMean(static_cast<int>(m_objectives.size()))),
          // Those that are rolled over steps already.
          {kVarianceRatio, kBias, kBiasBandLow, kBiasBandHigh, kVarianceRatioLow,
           kVarianceRatioHigh}),
      m_evaluations(
          6, {kTestAccuracy, kMovingAverageAccuracy, kTestLoss, kMovingAverageLoss,
              kAveragePrecision, kMovingAverageAveragePrecision})
{
}

void RunSeries::append(const StepPoint& point)
{
    if (point.towerLosses.size() != static_cast<std::size_t>(m_towers)) {
        throw std::invalid_argument("a step needs the loss of every tower");
    }
    const auto towers = static_cast<std::size_t>(m_towers);
    if (point.objectiveLosses.size() != m_objectives.size() * (towers + 1)) {
        throw std::invalid_argument("a step needs every loss of every objective");
    }
    m_lastTower.append(point.moment.step, point.towerLosses, point.meanLoss);
    const RunningMean& bias = m_lastTower.bias();
    const double twoErrors = 2.0 * bias.standardError();
    const bool hasRatio = m_lastTower.variances().steps > 0;
    const RatioInterval interval =
        hasRatio ? ratioInterval(expectedVarianceRatio(), m_lastTower.variances())
                 : RatioInterval{std::nan(""), std::nan("")};
    const auto [least, greatest] = extentOf(point.towerLosses, point.meanLoss);
    // In the order of their numbers.
    m_row = {
        point.meanLoss,
        point.examplesPerSecond,
        point.accuracy,
        m_lastTower.varianceRatio(),
        point.towerLosses.back() - point.meanLoss,
        bias.mean(),
        -twoErrors,
        twoErrors,
        interval.low,
        interval.high,
        least,
        greatest};
    m_row.insert(m_row.end(), point.towerLosses.begin(), point.towerLosses.end());
    for (std::size_t objective = 0; objective < m_objectives.size(); ++objective) {
        const auto losses = point.objectiveLosses.subspan(objective * (towers + 1), towers + 1);
        const auto [low, high] = extentOf(losses.subspan(1), losses.front());
        m_row.insert(m_row.end(), losses.begin(), losses.end());
        m_row.insert(m_row.end(), {low, high});
    }
    m_steps.append(point.moment, m_row);
    m_hasAccuracy |= std::isfinite(point.accuracy);
}

void RunSeries::append(const EvaluationPoint& point)
{
    m_evaluations.append(
        point.moment,
        std::array{
            point.accuracy, point.movingAverageAccuracy, point.loss, point.movingAverageLoss,
            point.averagePrecision, point.movingAverageAveragePrecision});
}

OverlaySeries::OverlaySeries(std::vector<std::string> objectives)
    : m_objectives(std::move(objectives)), m_losses(4, {kLowestLoss, kHighestLoss}),
      m_tests(3, {kAccuracy, kTestLoss, kAveragePrecision}),
      // Those of the last tower are averages already.
      m_figures(kObjectives + m_objectives.size(), {kBias, kVarianceRatio})
{
}

void OverlaySeries::append(const OverlayNode& node)
{
    m_losses.append(
        node.last, std::array{node.mean, node.lowest, node.highest, node.examplesPerSecond});
    m_mostSteps = std::max(m_mostSteps, node.steps);
}

void OverlaySeries::append(const OverlayFigures& figures)
{
    std::vector<double> row{figures.bias, figures.varianceRatio};
    row.insert(row.end(), figures.objectives.begin(), figures.objectives.end());
    m_figures.append(figures.last, row);
    m_mostFigures = std::max(m_mostFigures, figures.steps);
}

void OverlaySeries::appendTest(
    const Moment& moment, double accuracy, double loss, double averagePrecision)
{
    m_tests.append(moment, std::array{accuracy, loss, averagePrecision});
}

void OverlaySeries::setSmoothing(double weight)
{
    m_losses.setSmoothing(std::pow(weight, static_cast<double>(m_mostSteps)));
    m_figures.setSmoothing(std::pow(weight, static_cast<double>(m_mostFigures)));
}

} // namespace lockstep::ui
