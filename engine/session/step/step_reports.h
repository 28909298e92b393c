// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "session/step/device_phases.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace lockstep {

/// What the steps of one accelerator leave: their state and stamps in its memory, and a ring of
/// reports in memory of the host. Step k has slot k % slots. One thread at a time.
class StepReports
{
public:
    /// Of so many towers of the device, each with the results of all objectives in all passes.
    StepReports(const Accelerator& device, int towers, std::size_t results, bool isStamped);
    /// Before the first step: so many may be under way.
    void setSlots(std::int64_t slots);

    /// Before the first of some steps. Nothing may be under way.
    void start(std::int64_t step, double weightDecayLoss);
    [[nodiscard]] double weightDecayLoss() const;

    // In memory of the device.
    [[nodiscard]] StepState* state() const { return reinterpret_cast<StepState*>(m_state.data()); }
    /// Of the step that is being made; null: not wanted.
    [[nodiscard]] StepStamps* stamps() const
    {
        return reinterpret_cast<StepStamps*>(m_stamps.data());
    }
    [[nodiscard]] TowerStamps* towerStamps() const
    {
        return stamps() == nullptr ? nullptr : reinterpret_cast<TowerStamps*>(stamps() + 1);
    }
    /// The task that writes a report, but for what it reports.
    [[nodiscard]] FinishTask finishTask() const;

    // What a step left, once the device has come so far.
    [[nodiscard]] const StepReport& at(std::int64_t step) const;
    [[nodiscard]] std::span<const ObjectiveResult> results(std::int64_t step) const;
    /// What it noted of a tower, counted from the device's first one; the number of the device is
    /// for the caller to fill in. Needs StepFeature::PhaseClock.
    [[nodiscard]] TowerTimes times(std::int64_t step, int index) const;

private:
    const Accelerator& m_device;
    std::size_t m_results; ///< of a step
    DeviceMemory m_state;
    DeviceMemory m_stamps;
    std::size_t m_bytes; ///< of a report, with what follows it
    std::int64_t m_slots = 0;
    DeviceMemory m_ring;
};

} // namespace lockstep
