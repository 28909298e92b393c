// SPDX-License-Identifier: Apache-2.0
#include "session/step/rows/streamed_rows.h"

#include "base/error.h"

#include <cstring>

namespace lockstep {

StreamedRows::StreamedRows(const Accelerator& device, const SlotShape& slot, const StepState* state)
    : m_images(
        device, kSlots,
        static_cast<std::size_t>(slot.rows * slot.image.elements()) * sizeof(float)),
      m_labels(device, kSlots, static_cast<std::size_t>(slot.rows) * sizeof(std::int32_t)),
      m_masks(
          device, kSlots,
          slot.mask ? static_cast<std::size_t>(slot.rows * slot.mask->elements()) * sizeof(float)
                    : 0),
      m_mixed(
          device, kSlots,
          slot.isMixed ? static_cast<std::size_t>(slot.rows) * sizeof(MixedLabel) : 0),
      m_copies(device.makeStream())
{
    for (std::int64_t i = 0; i < kSlots; ++i) {
        m_slots.push_back({device.makeEvent(), device.makeEvent()});
    }
    m_input.state = state;
    m_input.slotCount = kSlots;
    m_input.slotRows = slot.rows;
    m_input.firstRow = slot.firstRow;
    m_input.images = m_images.values<float>();
    m_input.imageLabels = m_labels.values<std::int32_t>();
    if (slot.mask) {
        m_input.masks = m_masks.values<float>();
        m_input.maskCells = slot.mask->elements();
    }
    m_input.mixed = slot.isMixed ? m_mixed.values<MixedLabel>() : nullptr;
}

void StreamedRows::take(std::int64_t step, const Batch& batch)
{
    Slot& slot = slotOf(step);
    if (slot.step >= 0) {
        slot.copied->wait();
        m_copies->waitFor(*slot.used);
    }
    copySlot(m_images, step, std::as_bytes(std::span(batch.images)));
    copySlot(m_labels, step, std::as_bytes(std::span(batch.labels)));
    if (m_input.masks != nullptr) {
        copySlot(m_masks, step, std::as_bytes(std::span(batch.masks)));
    }
    if (m_input.mixed != nullptr) {
        copySlot(m_mixed, step, std::as_bytes(std::span(batch.mixed)));
    }
    m_copies->record(*slot.copied);
}

void StreamedRows::copySlot(
    const SlotRing& ring, std::int64_t step, std::span<const std::byte> values)
{
    require(values.size() == ring.slotBytes(), "a batch of another size than planned");
    std::memcpy(ring.hostSlot(step), values.data(), values.size());
    ring.enqueueCopy(*m_copies, step, 1);
}

void StreamedRows::enqueue(Stream& stream, std::int64_t first, std::int64_t count)
{
    for (std::int64_t step = first; step < first + count; ++step) {
        stream.waitFor(*slotOf(step).copied);
    }
}

void StreamedRows::stepEnqueued(Stream& stream, std::int64_t step)
{
    stream.record(*slotOf(step).used);
    slotOf(step).step = step;
}

} // namespace lockstep
