// SPDX-License-Identifier: Apache-2.0
#include "session/step/rows/slot_ring.h"

#include <algorithm>

namespace lockstep {

SlotRing::SlotRing(const Accelerator& device, std::int64_t slotCount, std::size_t slotBytes)
    : m_device(device), m_slotCount(slotCount), m_slotBytes(slotBytes),
      m_values(device.allocate(static_cast<std::size_t>(slotCount) * slotBytes)),
      m_hostValues(device.allocateShared(m_values.bytes()))
{
}

std::byte* SlotRing::hostSlot(std::int64_t step) const
{
    return m_hostValues.data() + static_cast<std::size_t>(step % m_slotCount) * m_slotBytes;
}

void SlotRing::enqueueCopy(Stream& stream, std::int64_t first, std::int64_t count) const
{
    // One copy, or two where the ring begins anew.
    for (std::int64_t done = 0; done < count;) {
        const std::int64_t slot = (first + done) % m_slotCount;
        const std::int64_t slots = std::min(count - done, m_slotCount - slot);
        const auto offset = static_cast<std::size_t>(slot) * m_slotBytes;
        m_device.enqueueCopyIn(
            stream, m_values.data() + offset, m_hostValues.data() + offset,
            static_cast<std::size_t>(slots) * m_slotBytes);
        done += slots;
    }
}

} // namespace lockstep
