// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace lockstep {

/// First in, first out, for any number of producers and consumers; holds at most `capacity` values.
/// Needs capacity > 0. Thread-safe. After close() nothing is accepted and what is left can still be
/// taken.
template<class T>
class BoundedQueue
{
public:
    explicit BoundedQueue(std::size_t capacity) : m_capacity(capacity)
    {
        require(capacity > 0, "a bounded queue needs room for one value");
    }

    /// Waits for room. False if the queue is closed.
    bool push(T value)
    {
        std::unique_lock lock(m_mutex);
        m_roomOrClosed.wait(lock, [this] { return m_closed || m_values.size() < m_capacity; });
        return accept(std::move(value));
    }

    /// Never waits. False if the queue is full or closed.
    bool tryPush(T value)
    {
        const std::scoped_lock lock(m_mutex);
        return m_values.size() < m_capacity && accept(std::move(value));
    }

    /// Waits for a value. Empty if the queue is closed and drained.
    std::optional<T> pop()
    {
        std::unique_lock lock(m_mutex);
        m_valueOrClosed.wait(lock, [this] { return m_closed || !m_values.empty(); });
        return take();
    }

    /// Never waits. Empty if there is nothing.
    std::optional<T> tryPop()
    {
        const std::scoped_lock lock(m_mutex);
        return take();
    }

    void close()
    {
        const std::scoped_lock lock(m_mutex);
        m_closed = true;
        m_roomOrClosed.notify_all();
        m_valueOrClosed.notify_all();
    }

    [[nodiscard]] std::size_t size() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_values.size();
    }
    [[nodiscard]] std::size_t capacity() const noexcept { return m_capacity; }

private:
    bool accept(T&& value)
    {
        if (m_closed) {
            return false;
        }
        m_values.push_back(std::move(value));
        m_valueOrClosed.notify_one();
        return true;
    }

    std::optional<T> take()
    {
        if (m_values.empty()) {
            return std::nullopt;
        }
        std::optional<T> value(std::move(m_values.front()));
        m_values.pop_front();
        m_roomOrClosed.notify_one();
        return value;
    }

    mutable std::mutex m_mutex;
    std::condition_variable m_roomOrClosed;
    std::condition_variable m_valueOrClosed;
    std::deque<T> m_values;
    std::size_t m_capacity;
    bool m_closed = false;
};

} // namespace lockstep
