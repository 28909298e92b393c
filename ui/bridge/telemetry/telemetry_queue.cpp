// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/telemetry/telemetry_queue.h"

#include <utility>

namespace lockstep::ui {

TelemetryQueue::TelemetryQueue(std::size_t capacity, std::function<void()> wake)
    : m_slots(capacity), m_wake(std::move(wake))
{
}

bool TelemetryQueue::push(const StepRecord& record)
{
    const std::size_t pushed = m_pushed.load(std::memory_order_relaxed);
    const bool hasRoom = pushed - m_taken.load(std::memory_order_acquire) < m_slots.size();
    if (hasRoom) {
        m_slots[pushed % m_slots.size()] = record;
        m_pushed.store(pushed + 1, std::memory_order_release);
    }
    // If listen() comes after this exchange it sees the record; if it came before, this wakes.
    if (!m_isTakerAwake.exchange(true, std::memory_order_acq_rel)) {
        m_wake();
    }
    return hasRoom;
}

const StepRecord* TelemetryQueue::front() const
{
    const std::size_t taken = m_taken.load(std::memory_order_relaxed);
    return taken == m_pushed.load(std::memory_order_acquire) ? nullptr
                                                             : &m_slots[taken % m_slots.size()];
}

void TelemetryQueue::pop()
{
    m_taken.store(m_taken.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

} // namespace lockstep::ui
