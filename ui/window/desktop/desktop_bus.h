// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusConnection>
#include <QObject>
#include <QThreadPool>

#include <functional>
#include <optional>

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
    ~DesktopBus() override { m_finder.waitForDone(); }

    /// Does nothing the second time.
    void look();
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
