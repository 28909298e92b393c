// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace lockstep::ui {

/// Values that are appended for hours and never moved: growing copies nothing, so that an append
/// takes the same few nanoseconds at a million values as at ten. Not thread-safe.
template<typename Value>
class ChunkedArray
{
public:
    void append(Value value)
    {
        if ((m_size & kMask) == 0) {
            m_chunks.push_back(std::make_unique_for_overwrite<Value[]>(kChunkSize));
        }
        m_chunks.back()[m_size & kMask] = value;
        ++m_size;
    }

    [[nodiscard]] Value operator[](std::int64_t index) const
    {
        return m_chunks[static_cast<std::size_t>(index >> kShift)][index & kMask];
    }
    void set(std::int64_t index, Value value)
    {
        m_chunks[static_cast<std::size_t>(index >> kShift)][index & kMask] = value;
    }

    [[nodiscard]] std::int64_t size() const noexcept { return m_size; }
    [[nodiscard]] std::size_t bytes() const noexcept
    {
        return m_chunks.size() * kChunkSize * sizeof(Value);
    }

private:
    static constexpr int kShift = 12;
    static constexpr std::int64_t kChunkSize = std::int64_t{1} << kShift;
    static constexpr std::int64_t kMask = kChunkSize - 1;

    std::vector<std::unique_ptr<Value[]>> m_chunks;
    std::int64_t m_size = 0;
};

} // namespace lockstep::ui
