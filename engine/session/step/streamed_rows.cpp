// SPDX-License-Identifier: Apache-2.0
#include "session/step/streamed_rows.h"

#include "base/error.h"

#include <cstring>

namespace lockstep {

StreamedRows::Ring::Ring(const Accelerator& device, std::size_t bytes)
    : slotBytes(bytes), values(device.allocate(kSlots * bytes)),
      hostValues(device.allocateShared(kSlots * bytes))
{
}

StreamedRows::StreamedRows(const Accelerator& device, const SlotShape& slot, const StepState* state)
    : m_device(device),
      m_images(
          device,
          static_cast<std::size_t>(slot.globalBatch * slot.image.elements()) * sizeof(float)),
      m_labels(device, static_cast<std::size_t>(slot.globalBatch) * sizeof(std::int32_t)),
      m_masks(
          device, slot.mask ? static_cast<std::size_t>(slot.globalBatch * slot.mask->elements())
                                  * sizeof(float)
                            : 0),
      m_copies(device.makeStream())
{
    for (std::int64_t i = 0; i < kSlots; ++i) {
        m_slots.push_back({device.makeEvent(), device.makeEvent()});
    }
    m_input.state = state;
    m_input.slotCount = kSlots;
    m_input.globalBatch = slot.globalBatch;
    m_input.images = reinterpret_cast<const float*>(m_images.values.data());
    m_input.imageLabels = reinterpret_cast<const std::int32_t*>(m_labels.values.data());
    if (slot.mask) {
        m_input.masks = reinterpret_cast<const float*>(m_masks.values.data());
        m_input.maskCells = slot.mask->elements();
    }
}

void StreamedRows::take(std::int64_t step, const Batch& batch)
{
    Slot& slot = slotOf(step);
    const auto number = static_cast<std::size_t>(step % kSlots);
    if (slot.step >= 0) {
        slot.copied->wait();
        m_copies->waitFor(*slot.used);
    }
    copySlot(m_images, number, std::as_bytes(std::span(batch.images)));
    copySlot(m_labels, number, std::as_bytes(std::span(batch.labels)));
    if (m_input.masks != nullptr) {
        copySlot(m_masks, number, std::as_bytes(std::span(batch.masks)));
    }
    m_copies->record(*slot.copied);
}

void StreamedRows::copySlot(const Ring& ring, std::size_t slot, std::span<const std::byte> values)
{
    require(values.size() == ring.slotBytes, "a batch of another size than planned");
    std::byte* const host = ring.hostValues.data() + slot * ring.slotBytes;
    std::memcpy(host, values.data(), ring.slotBytes);
    m_device.enqueueCopyIn(
        *m_copies, ring.values.data() + slot * ring.slotBytes, host, ring.slotBytes);
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
