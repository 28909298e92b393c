// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/desktop/desktop_bus.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusUnixFileDescriptor>
#include <QGuiApplication>

#include <functional>
#include <optional>
#include <utility>

namespace lockstep::ui {

/// Keeps this computer from going to sleep: asks systemd-logind for that (org.freedesktop.login1,
/// https://systemd.io/INHIBITOR_LOCKS), and the session's power manager
/// (org.freedesktop.PowerManagement.Inhibit) where logind is not there or refuses; where neither
/// grants it, nothing is done. The screen may still go dark. Whatever was granted ends with this
/// process, however that ends. GUI thread; nothing waits.
class SleepInhibitor : public QObject
{
public:
    /// Why the computer has to stay awake, for the desktop to tell; empty: it need not.
    void setReason(const QString& reason)
    {
        m_reason = reason;
        settle();
    }

private:
    static QDBusMessage powerManagerCall(const char* method)
    {
        return QDBusMessage::createMethodCall(
            QStringLiteral("org.freedesktop.PowerManagement"),
            QStringLiteral("/org/freedesktop/PowerManagement/Inhibit"),
            QStringLiteral("org.freedesktop.PowerManagement.Inhibit"), QLatin1String(method));
    }

    /// What came of the question that is under way. Until an answer is there, another question
    /// would only lose it.
    void settle()
    {
        if (m_isAsking || m_reason == m_asked) {
            return;
        }
        release();
        m_asked = m_reason;
        if (!m_reason.isEmpty()) {
            m_isAsking = true;
            m_system ? ask() : m_system.look();
        }
    }

    /// Not for "idle": a dark screen harms no training.
    void ask()
    {
        QDBusMessage message = QDBusMessage::createMethodCall(
            QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
            QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
        message << QStringLiteral("sleep") << QGuiApplication::applicationDisplayName() << m_asked
                << QStringLiteral("block");
        whenAnswered(m_system->asyncCall(message), [this](const QDBusPendingCall& call) {
            const QDBusPendingReply<QDBusUnixFileDescriptor> reply = call;
            if (reply.isError()) {
                return m_session ? askPowerManager() : m_session.look();
            }
            m_lock = reply.value();
            m_isAsking = false;
            settle();
        });
    }

    void askPowerManager()
    {
        QDBusMessage message = powerManagerCall("Inhibit");
        message << QGuiApplication::applicationDisplayName() << m_asked;
        whenAnswered(m_session->asyncCall(message), [this](const QDBusPendingCall& call) {
            const QDBusPendingReply<uint> reply = call;
            if (!reply.isError()) {
                m_cookie = reply.value();
            }
            m_isAsking = false;
            settle();
        });
    }

    void whenAnswered(
        const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then)
    {
        auto* const watcher = new QDBusPendingCallWatcher(call, this);
        connect(watcher, &QDBusPendingCallWatcher::finished, this, [watcher, then] {
            watcher->deleteLater();
            then(*watcher);
        });
    }

    void release()
    {
        m_lock = {}; // closing it is what ends it
        if (const auto cookie = std::exchange(m_cookie, std::nullopt)) {
            m_session->asyncCall(powerManagerCall("UnInhibit") << *cookie);
        }
    }

    QString m_reason;
    QString m_asked;         ///< the reason that was given last; empty: nothing is held or asked
    bool m_isAsking = false; ///< an answer is on its way
    QDBusUnixFileDescriptor m_lock;
    std::optional<uint> m_cookie;
    DesktopBus m_system{QDBusConnection::SystemBus, [this] { ask(); }};
    DesktopBus m_session{QDBusConnection::SessionBus, [this] { askPowerManager(); }};
};

} // namespace lockstep::ui
