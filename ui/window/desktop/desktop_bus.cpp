// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/desktop/desktop_bus.h"

#include <utility>

namespace lockstep::ui {

void DesktopBus::look()
{
    if (std::exchange(m_isLooking, true)) {
        return;
    }
    m_finder.start([this] {
        const QDBusConnection bus = m_type == QDBusConnection::SystemBus
                                        ? QDBusConnection::systemBus()
                                        : QDBusConnection::sessionBus();
        QMetaObject::invokeMethod(
            this,
            [this, bus] {
                m_bus = bus;
                m_found();
            },
            Qt::QueuedConnection);
    });
}

} // namespace lockstep::ui
