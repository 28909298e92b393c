// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/accelerator.h"
#include "input/batch.h"
#include "session/step/rows/row_source.h"
#include "session/step/rows/slot_ring.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lockstep {

/// What lies in a slot of a ring of batches.
struct SlotShape
{
    Shape image;
    std::optional<Shape> mask; ///< none: rows have no masks
    std::int64_t firstRow = 0; ///< in the global batch
    std::int64_t rows = 0;
    bool isMixed = false;
};

/// Rows that the host makes: each batch goes through a pinned buffer to a slot of the device, on a
/// stream of its own, so that the copy runs beside the steps before.
class StreamedRows final : public RowSource
{
public:
    /// `state` is the device's.
    StreamedRows(const Accelerator& device, const SlotShape& slot, const StepState* state);

    [[nodiscard]] std::int64_t slotCount() const override { return kSlots; }
    [[nodiscard]] DeviceInput input() const override { return m_input; }
    void start(std::int64_t /*step*/, std::int64_t /*position*/) override {}
    /// Takes the batch of a step; its buffer is free again when this returns. Waits until the slot
    /// is free.
    void take(std::int64_t step, const Batch& batch);
    void enqueue(Stream& stream, std::int64_t first, std::int64_t count) override;
    void stepEnqueued(Stream& stream, std::int64_t step) override;

private:
    static constexpr std::int64_t kSlots = 4;

    struct Slot
    {
        std::unique_ptr<Event> copied;
        std::unique_ptr<Event> used;
        std::int64_t step = -1; ///< that used it last
    };
    [[nodiscard]] Slot& slotOf(std::int64_t step)
    {
        return m_slots[static_cast<std::size_t>(step % kSlots)];
    }

    void copySlot(const SlotRing& ring, std::int64_t step, std::span<const std::byte> values);

    SlotRing m_images;
    SlotRing m_labels;
    SlotRing m_masks;
    SlotRing m_mixed;
    std::unique_ptr<Stream> m_copies;
    std::vector<Slot> m_slots;
    DeviceInput m_input;
};

} // namespace lockstep
