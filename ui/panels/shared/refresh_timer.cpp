// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/shared/refresh_timer.h"

namespace lockstep::ui {

RefreshTimer::RefreshTimer(QObject* parent) : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer); // a coarse one would miss the moment of the others
    connect(&m_timer, &QTimer::timeout, this, &RefreshTimer::due);
}

void RefreshTimer::request(std::chrono::milliseconds interval)
{
    using namespace std::chrono;
    if (!m_timer.isActive()) {
        const auto now = duration_cast<milliseconds>(steady_clock::now().time_since_epoch());
        m_timer.start(interval - now % interval);
    }
}

} // namespace lockstep::ui
