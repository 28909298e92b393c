// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"

#include <cstddef>
#include <cstdint>

namespace lockstep {

/// What the steps that are under way need of one kind, in a ring on the device, and beside it in
/// pinned memory where the host writes it. Step k uses slot k % slotCount.
class SlotRing
{
public:
    SlotRing(const Accelerator& device, std::int64_t slotCount, std::size_t slotBytes);

    /// Where the host writes what a step needs.
    [[nodiscard]] std::byte* hostSlot(std::int64_t step) const;
    /// Enqueues the copy of what was written for steps [first, first + count), slotCount at most.
    void enqueueCopy(Stream& stream, std::int64_t first, std::int64_t count) const;

    [[nodiscard]] std::size_t slotBytes() const { return m_slotBytes; }
    /// In the device's memory.
    template<class Value>
    [[nodiscard]] const Value* values() const
    {
        return reinterpret_cast<const Value*>(m_values.data());
    }

private:
    const Accelerator& m_device;
    std::int64_t m_slotCount;
    std::size_t m_slotBytes;
    DeviceMemory m_values;
    DeviceMemory m_hostValues;
};

} // namespace lockstep
