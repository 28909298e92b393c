// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

namespace lockstep::ui {

/// Step records on their way from the engine thread to the GUI thread: a ring without locks, so
/// that nothing that befalls the GUI thread can delay a step. One thread pushes, one thread takes.
/// A slot keeps the memory of the record it held, so that after one round a push allocates nothing.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): the counters stand apart on purpose
class TelemetryQueue
{
public:
    /// `wake` is called on the pushing thread when there is something to take: once, and again only
    /// after the next listen(). It must not wait.
    TelemetryQueue(std::size_t capacity, std::function<void()> wake);

    /// Pushing thread. Never waits. False when the queue is full: the record is not kept, which the
    /// taker sees by a gap in the numbers of the steps.
    bool push(const StepRecord& record);

    /// Taking thread, before it looks: asks to be woken by whatever is pushed from now on.
    void listen() { m_isTakerAwake.exchange(false, std::memory_order_acq_rel); }
    /// Taking thread: the oldest record, or nothing. Valid until pop().
    [[nodiscard]] const StepRecord* front() const;
    /// Taking thread: removes the oldest record, which must be there.
    void pop();

    [[nodiscard]] std::size_t capacity() const noexcept { return m_slots.size(); }

private:
    std::vector<StepRecord> m_slots;
    std::function<void()> m_wake;
    // Records pushed and taken since the beginning, each written by one side only; apart, so that
    // the two sides don't fight for one cache line.
    alignas(64) std::atomic<std::size_t> m_pushed{0};
    alignas(64) std::atomic<std::size_t> m_taken{0};
    alignas(64) std::atomic<bool> m_isTakerAwake{false};
};

} // namespace lockstep::ui
