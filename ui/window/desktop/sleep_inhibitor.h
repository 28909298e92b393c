// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/desktop/desktop_bus.h"

#include <QDBusPendingCall>
#include <QDBusUnixFileDescriptor>
#include <QString>

#include <functional>
#include <optional>

namespace lockstep::ui {

/// Keeps this computer from going to sleep: asks systemd-logind for that (org.freedesktop.login1,
/// https://systemd.io/INHIBITOR_LOCKS), and the session's power manager
/// (org.freedesktop.PowerManagement.Inhibit) where logind is not there or refuses; where neither
/// grants it, nothing is done. The screen may still go dark. Whatever was granted ends with this
/// process, however that ends. GUI thread; nothing waits.
class SleepInhibitor : public QObject
{
    Q_OBJECT

public:
    /// Why the computer has to stay awake, for the desktop to tell; empty: it need not.
    void setReason(const QString& reason);

private:
    void ask();
    void askPowerManager();
    /// What came of the question that is under way.
    void settle();
    void release();
    void whenAnswered(
        const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then);

    QString m_reason;
    QString m_asked;         ///< the reason that was given last; empty: nothing is held or asked
    bool m_isAsking = false; ///< an answer is on its way
    QDBusUnixFileDescriptor m_lock;
    std::optional<uint> m_cookie;
    DesktopBus m_system{QDBusConnection::SystemBus, [this] { ask(); }};
    DesktopBus m_session{QDBusConnection::SessionBus, [this] { askPowerManager(); }};
};

} // namespace lockstep::ui
