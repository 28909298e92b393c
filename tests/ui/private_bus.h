// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDBusConnection>
#include <QProcess>
#include <QStandardPaths>
#include <QString>

#include <stdexcept>

namespace lockstep::ui {

/// A D-Bus of a test's own, and the desktop's end of it. To be made before anybody asks for a bus.
class PrivateBus
{
public:
    /// `variables`: of the environment, which shall name it as the session's bus or the system's.
    explicit PrivateBus(std::initializer_list<const char*> variables)
    {
        m_daemon.start("dbus-daemon", {"--session", "--nofork", "--print-address"});
        if (!m_daemon.waitForReadyRead(10'000)) {
            throw std::runtime_error("dbus-daemon does not start");
        }
        const QByteArray address = m_daemon.readLine().trimmed();
        for (const char* const variable : variables) {
            qputenv(variable, address);
        }
        QDBusConnection::connectToBus(address, kDesktop);
    }
    ~PrivateBus()
    {
        QDBusConnection::disconnectFromBus(kDesktop);
        m_daemon.kill();
        m_daemon.waitForFinished();
    }
    PrivateBus(const PrivateBus&) = delete;
    PrivateBus& operator=(const PrivateBus&) = delete;

    static bool canBeMade() { return !QStandardPaths::findExecutable("dbus-daemon").isEmpty(); }

    /// Where services stand.
    [[nodiscard]] static QDBusConnection desktop() { return QDBusConnection(kDesktop); }

private:
    static constexpr const char* kDesktop = "fake-desktop";

    QProcess m_daemon;
};

} // namespace lockstep::ui
