// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "device/parameter_arena.h"
#include "device/parameter_chunks.h"
#include "session/step/device_gradients.h"
#include "session/step/rows/slot_ring.h"
#include "session/step/step_reports.h"
#include "session/step/stepper.h"
#include "tower/device_towers.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

/// The place of one accelerator in a training.
struct MemberPlace
{
    const Accelerator* device = nullptr;
    TowerRange towers;
    int members = 1; ///< devices of the training
    std::map<std::string, std::string> algorithms;
};

/// What the steps of one accelerator work on, but for their rows, and the tasks that end a step
/// told in its terms. One thread at a time.
class StepArrays
{
public:
    /// The settings must outlive it.
    StepArrays(const StepperSettings& settings, const MemberPlace& place);
    /// Before the first step: so many may be under way.
    void setSlots(std::int64_t slots);

    [[nodiscard]] const ParameterArena& arena() const { return m_arena; }
    [[nodiscard]] const DeviceTowers& towers() const { return m_towers; }
    [[nodiscard]] DeviceTowers& towers() { return m_towers; }
    [[nodiscard]] float* gradient() const { return m_gradient; }
    [[nodiscard]] const StepReports& reports() const { return m_reports; }
    [[nodiscard]] StepReports& reports() { return m_reports; }
    /// What the optimizer does at the steps that are under way.
    [[nodiscard]] const SlotRing& orders() const { return *m_orders; }
    /// What measured steps left; null: none is measured.
    [[nodiscard]] const DeviceGradients* gradients() const { return m_gradients.get(); }
    /// Statistics whose towers don't count as in gradients: their ranges are averaged once more,
    /// with weights of their own.
    [[nodiscard]] const std::vector<ParameterChunk>& statistics() const { return m_statistics; }

    // Of the whole arena, and of all towers of the device.
    [[nodiscard]] AverageTask averageTask() const;
    [[nodiscard]] MeasureTask measureTask(const AverageTask& average, bool isAveraged) const;
    [[nodiscard]] LossCheckTask lossCheckTask() const;
    [[nodiscard]] UpdateTask updateTask() const;
    [[nodiscard]] FinishTask finishTask() const;

private:
    void planUpdate();

    const StepperSettings& m_settings;
    const Accelerator& m_device;
    ParameterArena m_arena;
    StepReports m_reports;
    DeviceTowers m_towers;
    float* m_gradient;
    std::vector<ParameterChunk> m_statistics;
    std::optional<SlotRing> m_orders;
    std::int64_t m_slots = 0;
    DeviceMemory m_chunks;
    std::int64_t m_chunkCount = 0;
    DeviceMemory m_squares;
    std::unique_ptr<DeviceGradients> m_gradients;
};

} // namespace lockstep
