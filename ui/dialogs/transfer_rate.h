// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <deque>

namespace lockstep::ui {

/// How fast something comes in: over the last seconds, so that the figure neither jumps with every
/// block nor tells of a speed that was long ago. What was there at the beginning does not count.
class TransferRate
{
public:
    static constexpr double kWindowSeconds = 4.0;

    void clear() { m_samples.clear(); }
    /// `bytes` so far, at `seconds` on any clock that never runs backwards. Fewer bytes than
    /// before: it was begun anew.
    void add(double seconds, qint64 bytes);
    /// 0 while nothing can be said, within the first tenths of a second.
    [[nodiscard]] double bytesPerSecond() const;

private:
    struct Sample
    {
        double seconds;
        qint64 bytes;
    };
    std::deque<Sample> m_samples;
};

} // namespace lockstep::ui
