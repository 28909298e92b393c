// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/transfer_rate.h"

namespace lockstep::ui {
namespace {

constexpr double kLeastSeconds = 0.4;

} // namespace

void TransferRate::add(double seconds, qint64 bytes)
{
    if (!m_samples.empty() && bytes < m_samples.back().bytes) {
        m_samples.clear();
    }
    m_samples.push_back({seconds, bytes});
    while (m_samples.size() > 2 && seconds - m_samples[1].seconds >= kWindowSeconds) {
        m_samples.pop_front();
    }
}

double TransferRate::bytesPerSecond() const
{
    if (m_samples.empty()) {
        return 0.0;
    }
    const Sample& first = m_samples.front();
    const Sample& last = m_samples.back();
    const double seconds = last.seconds - first.seconds;
    return seconds < kLeastSeconds ? 0.0 : static_cast<double>(last.bytes - first.bytes) / seconds;
}

} // namespace lockstep::ui
