// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <deque>

namespace lockstep::ui {

/// What "Get CIFAR-10" is about to do, and how much room it takes.
QString downloadIntroduction();

/// Where a transfer stands: "1 of 3: downloading · 42.1 MiB of 162.6 MiB · 5.3 MiB/s · 25 s left".
/// The last two are left out while the rate is 0. In decimal units, as a browser's downloads have
/// them.
QString transferText(qint64 bytes, qint64 total, double bytesPerSecond);

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
