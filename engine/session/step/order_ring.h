// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "session/step/stepper.h"

#include <cstdint>

namespace lockstep {

/// What the optimizer does at each of the steps that are under way, in a ring on the device. Step k
/// uses slot k % slotCount.
class OrderRing
{
public:
    OrderRing(const Accelerator& device, std::int64_t slotCount);

    /// Enqueues the orders of steps [first, first + count), before these are.
    void enqueue(
        Stream& stream, std::int64_t first, std::int64_t count, const UpdateSchedule& schedule);
    /// In the device's memory.
    [[nodiscard]] const StepOrder* orders() const
    {
        return reinterpret_cast<const StepOrder*>(m_orders.data());
    }

private:
    const Accelerator& m_device;
    std::int64_t m_slotCount;
    DeviceMemory m_orders;
    DeviceMemory m_hostOrders;
};

} // namespace lockstep
