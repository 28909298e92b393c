// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusConnection>
#include <QObject>
#include <QThreadPool>

#include <functional>
#include <optional>
#include <utility>

namespace lockstep::ui {

/// A bus of the desktop, which is looked for on a thread of its own, since that may start one. GUI
/// thread; nothing waits.
class DesktopBus : public QObject
{
public:
    /// `found` is called once, after look(), whether there is one or not.
    DesktopBus(QDBusConnection::BusType type, std::function<void()> found)
        : m_type(type), m_found(std::move(found))
    {
    }

    /// Does nothing the second time.
    void look()
    {
        if (std::exchange(m_isLooking, true)) {
            return;
        }
        m_finder.start([this] {
            const QDBusConnection bus = m_type == QDBusConnection::SystemBus
                                            ? QDBusConnection::systemBus()
                                            : QDBusConnection::sessionBus();
            const auto take = [this, bus] {
                m_bus = bus;
                m_found();
            };
            QMetaObject::invokeMethod(this, take, Qt::QueuedConnection);
        });
    }
    /// Whether it was found.
    explicit operator bool() const { return m_bus.has_value(); }
    QDBusConnection* operator->() { return &*m_bus; }

private:
    const QDBusConnection::BusType m_type;
    const std::function<void()> m_found;
    std::optional<QDBusConnection> m_bus;
    bool m_isLooking = false;
    QThreadPool m_finder;
};

} // namespace lockstep::ui
