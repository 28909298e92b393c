// SPDX-License-Identifier: Apache-2.0
#include "session/streamed_rows.h"

#include "base/error.h"

#include <cstring>

namespace lockstep {

StreamedRows::StreamedRows(
    const Accelerator& device, const Shape& image, std::int64_t globalBatch, const StepState* state)
    : m_device(device),
      m_imageBytes(static_cast<std::size_t>(globalBatch * image.elements()) * sizeof(float)),
      m_labelBytes(static_cast<std::size_t>(globalBatch) * sizeof(std::int32_t)),
      m_images(device.allocate(kSlots * m_imageBytes)),
      m_labels(device.allocate(kSlots * m_labelBytes)),
      m_hostImages(device.allocateShared(kSlots * m_imageBytes)),
      m_hostLabels(device.allocateShared(kSlots * m_labelBytes)), m_copies(device.makeStream())
{
    for (std::int64_t i = 0; i < kSlots; ++i) {
        m_slots.push_back({device.makeEvent(), device.makeEvent()});
    }
    m_input.state = state;
    m_input.slotCount = kSlots;
    m_input.globalBatch = globalBatch;
    m_input.images = reinterpret_cast<const float*>(m_images.data());
    m_input.imageLabels = reinterpret_cast<const std::int32_t*>(m_labels.data());
}

void StreamedRows::take(std::int64_t step, const Batch& batch)
{
    require(
        batch.images.size() * sizeof(float) == m_imageBytes,
        "a batch of another size than planned");
    Slot& slot = slotOf(step);
    const auto number = static_cast<std::size_t>(step % kSlots);
    std::byte* const images = m_hostImages.data() + number * m_imageBytes;
    std::byte* const labels = m_hostLabels.data() + number * m_labelBytes;
    if (slot.step >= 0) {
        slot.copied->wait();
        m_copies->waitFor(*slot.used);
    }
    std::memcpy(images, batch.images.data(), m_imageBytes);
    std::memcpy(labels, batch.labels.data(), m_labelBytes);
    m_device.enqueueCopyIn(
        *m_copies, m_images.data() + number * m_imageBytes, images, m_imageBytes);
    m_device.enqueueCopyIn(
        *m_copies, m_labels.data() + number * m_labelBytes, labels, m_labelBytes);
    m_copies->record(*slot.copied);
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
