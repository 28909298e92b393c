// SPDX-License-Identifier: Apache-2.0
#include "session/step/order_ring.h"

#include <algorithm>
#include <cstddef>

namespace lockstep {

OrderRing::OrderRing(const Accelerator& device, std::int64_t slotCount)
    : m_device(device), m_slotCount(slotCount),
      m_orders(device.allocate(static_cast<std::size_t>(slotCount) * sizeof(StepOrder))),
      m_hostOrders(device.allocateShared(m_orders.bytes()))
{
}

void OrderRing::enqueue(
    Stream& stream, std::int64_t first, std::int64_t count, const UpdateSchedule& schedule)
{
    auto* const orders = reinterpret_cast<StepOrder*>(m_hostOrders.data());
    for (std::int64_t step = first; step < first + count; ++step) {
        const UpdateSettings update = schedule(step);
        orders[step % m_slotCount] = {
            static_cast<float>(update.learningRate), static_cast<float>(1.0 - update.averageDecay),
            static_cast<float>(1.0 - update.momentDecay)};
    }
    // One copy, or two where the ring begins anew.
    for (std::int64_t done = 0; done < count;) {
        const std::int64_t slot = (first + done) % m_slotCount;
        const std::int64_t steps = std::min(count - done, m_slotCount - slot);
        const auto offset = static_cast<std::size_t>(slot) * sizeof(StepOrder);
        m_device.enqueueCopyIn(
            stream, m_orders.data() + offset, m_hostOrders.data() + offset,
            static_cast<std::size_t>(steps) * sizeof(StepOrder));
        done += steps;
    }
}

} // namespace lockstep
