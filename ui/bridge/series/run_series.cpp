// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/run_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace lockstep::ui {
namespace {

using enum Smoothing;

/// How far the least of the towers' losses lies below their mean, and the greatest above it; not a
/// number where the mean is none.
std::pair<double, double> distancesFrom(double mean, std::span<const double> losses)
{
    if (!std::isfinite(mean)) {
        return {std::nan(""), std::nan("")};
    }
    std::pair distances(0.0, 0.0);
    for (const double loss : losses) {
        distances = {
            std::fmax(distances.first, mean - loss), std::fmax(distances.second, loss - mean)};
    }
    return distances;
}

std::vector<Smoothing> stepSmoothing(int towers, std::size_t objectives)
{
    // Those that are rolled over steps already are not smoothed.
    std::vector<Smoothing> kinds{Line, Rate, Line, None,     Line,     None, None,
                                 None, None, None, Distance, Distance, Line, None};
    kinds.resize(kinds.size() + static_cast<std::size_t>(towers) + objectives, Line);
    return kinds;
}

} // namespace

RunSeries::RunSeries(int towers, int batchPerTower, std::vector<std::string> objectives)
    : m_towers(towers), m_batchPerTower(batchPerTower), m_objectives(std::move(objectives)),
      m_steps(stepSmoothing(towers, m_objectives.size())),
      m_evaluations(std::vector<Smoothing>(6, None))
{
}

void RunSeries::append(const StepPoint& point)
{
    if (point.towerLosses.size() != static_cast<std::size_t>(m_towers)) {
        throw std::invalid_argument("a step needs the loss of every tower");
    }
    if (point.objectiveLosses.size() != m_objectives.size()) {
        throw std::invalid_argument("a step needs the loss of every objective");
    }
    m_lastTower.append(point.moment.step, point.towerLosses, point.meanLoss);
    const RunningMean& bias = m_lastTower.bias();
    const double twoErrors = 2.0 * bias.standardError();
    const bool hasRatio = m_lastTower.variances().steps > 0;
    const RatioInterval interval =
        hasRatio ? ratioInterval(expectedVarianceRatio(), m_lastTower.variances())
                 : RatioInterval{std::nan(""), std::nan("")};
    const auto [below, above] = distancesFrom(point.meanLoss, point.towerLosses);
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
        below,
        above,
        point.totalLoss,
        point.learningRate};
    m_row.insert(m_row.end(), point.towerLosses.begin(), point.towerLosses.end());
    m_row.insert(m_row.end(), point.objectiveLosses.begin(), point.objectiveLosses.end());
    m_steps.append(point.moment, m_row);
    m_hasAccuracy |= std::isfinite(point.accuracy);
}

void RunSeries::append(
    const Moment& moment, const EvaluationRecord& raw, const EvaluationRecord& average)
{
    m_evaluations.append(
        moment, std::array{
                    raw.accuracy, average.accuracy, raw.loss, average.loss, averagePrecisionOf(raw),
                    averagePrecisionOf(average)});
}

/// The figures of the last tower are averages already.
OverlaySeries::OverlaySeries()
    : m_losses({Line, None, None, Rate}), m_tests({None, None, None}), m_figures({None, None})
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
    m_figures.append(figures.last, std::array{figures.bias, figures.varianceRatio});
}

void OverlaySeries::append(const Moment& moment, const EvaluationRecord& average)
{
    m_tests.append(moment, std::array{average.accuracy, average.loss, averagePrecisionOf(average)});
}

void OverlaySeries::setSmoothing(double weight)
{
    m_losses.setSmoothing(std::pow(weight, static_cast<double>(m_mostSteps)));
}

} // namespace lockstep::ui
