// SPDX-License-Identifier: Apache-2.0
#include "metrics/verdicts/step_alerts.h"

#include <fmt/core.h>

#include <algorithm>

namespace lockstep {
namespace {

constexpr double kSlowerThanMedian = 20.0;
constexpr double kPatienceAtFirst = 10.0;

std::string overText(const Verdict& told)
{
    switch (*told.alert) {
    case AlertKind::NotLearning:
        return "the network learns";
    case AlertKind::Plateau:
        return "the loss falls again, or is given time at another learning rate";
    case AlertKind::InputBound:
        return "the data come in time again";
    case AlertKind::SameData:
        return "the towers get different rows again";
    case AlertKind::TowerLoss:
        return told.tower < 0 ? "the losses of the two towers agree again"
                              : fmt::format("tower {}: it is like the others again", told.tower);
    default:
        return fmt::format("tower {}: it keeps pace with the others again", told.tower);
    }
}

} // namespace

void StepAlerts::take(const StepRecord& step, bool isNews)
{
    m_verdicts.take(step);
    const std::array<const Verdict*, 3> now{
        &m_verdicts.learning(), &m_verdicts.data(), &m_verdicts.pace()};
    for (std::size_t i = 0; i < now.size(); ++i) {
        Verdict& told = m_told[i];
        const Verdict& found = *now[i];
        if (told.alert == found.alert && told.tower == found.tower) {
            continue;
        }
        if (isNews && told.alert && isOn(*told.alert)) {
            m_tell({*told.alert, true, step.step + 1, told.tower, overText(told)});
        }
        if (isNews && found.alert && isOn(*found.alert)) {
            m_tell({*found.alert, false, step.step + 1, found.tower, found.text});
        }
        told = found;
    }
}

bool StepAlerts::isOn(AlertKind kind) const
{
    return kind == AlertKind::SlowTower    ? m_settings.towerWait > 0.0
           : kind == AlertKind::InputBound ? m_settings.inputShare > 0.0
           : kind == AlertKind::TowerLoss || kind == AlertKind::SameData
               ? m_settings.towerLoss > 0.0
               : m_settings.plateauSteps > 0;
}

double stuckLimit(double seconds, std::span<double> lastSteps)
{
    if (lastSteps.empty()) {
        return kPatienceAtFirst * seconds;
    }
    const auto middle = lastSteps.begin() + static_cast<std::ptrdiff_t>(lastSteps.size() / 2);
    std::ranges::nth_element(lastSteps, middle);
    return std::max(seconds, kSlowerThanMedian * *middle);
}

} // namespace lockstep
