// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/records.h"

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace lockstep::ui {

/// Gradient records on their way from the thread that trains to the window, which takes all that
/// wait at once. Where it does not come to that, say because a step takes microseconds, the newest
/// stands in for those that do not fit: the run's store has all. Thread-safe.
class GradientBatch
{
public:
    /// True where nothing waited before: then the window has to be told.
    bool push(const GradientRecord& record)
    {
        const std::scoped_lock lock(m_mutex);
        if (m_records.size() < kMost) {
            m_records.push_back(record);
        } else {
            m_records.back() = record;
        }
        return m_records.size() == 1;
    }
    [[nodiscard]] std::vector<GradientRecord> take()
    {
        const std::scoped_lock lock(m_mutex);
        return std::exchange(m_records, {});
    }

private:
    static constexpr std::size_t kMost = 64;
    std::mutex m_mutex;
    std::vector<GradientRecord> m_records;
};

} // namespace lockstep::ui
