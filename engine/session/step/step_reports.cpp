// SPDX-License-Identifier: Apache-2.0
#include "session/step/step_reports.h"

namespace lockstep {

StepReports::StepReports(const Accelerator& device, int towers, std::size_t results, bool isStamped)
    : m_device(device), m_results(static_cast<std::size_t>(towers) * results),
      m_state(device.allocate(sizeof(StepState)))
{
    if (isStamped) {
        m_stamps = device.allocate(
            sizeof(StepStamps) + static_cast<std::size_t>(towers) * sizeof(TowerStamps));
    }
    m_bytes = sizeof(StepReport) + m_results * sizeof(ObjectiveResult) + m_stamps.bytes();
}

void StepReports::setSlots(std::int64_t slots)
{
    m_slots = slots;
    m_ring = m_device.allocateShared(static_cast<std::size_t>(slots) * m_bytes);
}

void StepReports::start(std::int64_t step, double weightDecayLoss)
{
    StepState fresh;
    fresh.step = step;
    fresh.weightDecayLoss = weightDecayLoss;
    m_device.copyIn(m_state.data(), &fresh, sizeof(fresh));
}

double StepReports::weightDecayLoss() const
{
    StepState state;
    m_device.copyOut(&state, m_state.data(), sizeof(state));
    return state.weightDecayLoss;
}

FinishTask StepReports::finishTask() const
{
    FinishTask task;
    task.state = state();
    task.resultCount = static_cast<int>(m_results);
    task.reports = m_ring.data();
    task.reportSlots = m_slots;
    task.reportBytes = m_bytes;
    task.stamps = reinterpret_cast<const std::int64_t*>(m_stamps.data());
    task.stampCount = static_cast<int>(m_stamps.bytes() / sizeof(std::int64_t));
    return task;
}

const StepReport& StepReports::at(std::int64_t step) const
{
    const auto slot = static_cast<std::size_t>(step % m_slots);
    return *reinterpret_cast<const StepReport*>(m_ring.data() + slot * m_bytes);
}

std::span<const ObjectiveResult> StepReports::results(std::int64_t step) const
{
    return {reinterpret_cast<const ObjectiveResult*>(&at(step) + 1), m_results};
}

TowerTimes StepReports::times(std::int64_t step, int index) const
{
    const auto* const stamps =
        reinterpret_cast<const StepStamps*>(results(step).data() + m_results);
    return {0, reinterpret_cast<const TowerStamps*>(stamps + 1)[index], *stamps};
}

} // namespace lockstep
