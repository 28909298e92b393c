// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/series/overlay_series.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::ui {

OverlaySeries::OverlaySeries() : m_losses({true, false, false}), m_tests(std::vector<bool>{false})
{
}

void OverlaySeries::append(const OverlayNode& node)
{
    m_losses.append(
        node.last, std::array{
                       static_cast<float>(node.mean), static_cast<float>(node.lowest),
                       static_cast<float>(node.highest)});
    m_mostSteps = std::max(m_mostSteps, node.steps);
}

void OverlaySeries::appendTest(const Moment& moment, double accuracy)
{
    m_tests.append(moment, std::array{static_cast<float>(accuracy)});
}

void OverlaySeries::setSmoothing(double weight)
{
    m_losses.setSmoothing(std::pow(weight, static_cast<double>(m_mostSteps)));
}

} // namespace lockstep::ui
