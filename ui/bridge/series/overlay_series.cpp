// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/overlay_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lockstep::ui {
namespace {

/// Those of the last tower are averages already.
std::vector<bool> smoothedFigures(std::size_t objectives)
{
    std::vector<bool> smoothed(OverlaySeries::kObjectives + objectives, true);
    smoothed[OverlaySeries::kBias] = false;
    smoothed[OverlaySeries::kVarianceRatio] = false;
    return smoothed;
}

} // namespace

OverlaySeries::OverlaySeries(std::vector<std::string> objectives)
    : m_objectives(std::move(objectives)), m_losses({true, false, false, true}),
      m_tests(std::vector<bool>{false}), m_figures(smoothedFigures(m_objectives.size()))
{
}

void OverlaySeries::append(const OverlayNode& node)
{
    m_losses.append(
        node.last,
        std::array{
            static_cast<float>(node.mean), static_cast<float>(node.lowest),
            static_cast<float>(node.highest), static_cast<float>(node.examplesPerSecond)});
    m_mostSteps = std::max(m_mostSteps, node.steps);
}

void OverlaySeries::append(const OverlayFigures& figures)
{
    std::vector<float> row{
        static_cast<float>(figures.bias), static_cast<float>(figures.varianceRatio)};
    for (const double loss : figures.objectives) {
        row.push_back(static_cast<float>(loss));
    }
    m_figures.append(figures.last, row);
    m_mostFigures = std::max(m_mostFigures, figures.steps);
}

void OverlaySeries::appendTest(const Moment& moment, double accuracy)
{
    m_tests.append(moment, std::array{static_cast<float>(accuracy)});
}

void OverlaySeries::setSmoothing(double weight)
{
    m_losses.setSmoothing(std::pow(weight, static_cast<double>(m_mostSteps)));
    m_figures.setSmoothing(std::pow(weight, static_cast<double>(m_mostFigures)));
}

} // namespace lockstep::ui
