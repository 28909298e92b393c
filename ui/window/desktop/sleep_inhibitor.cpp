// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/desktop/sleep_inhibitor.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QGuiApplication>

#include <utility>

namespace lockstep::ui {
namespace {

/// Not "idle": a dark screen harms no training.
constexpr QLatin1String kWhat("sleep");

QDBusMessage powerManagerCall(const char* method)
{
    return QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.PowerManagement"),
        QStringLiteral("/org/freedesktop/PowerManagement/Inhibit"),
        QStringLiteral("org.freedesktop.PowerManagement.Inhibit"), QLatin1String(method));
}

} // namespace

void SleepInhibitor::setReason(const QString& reason)
{
    m_reason = reason;
    settle();
}

/// Until an answer is there, another question would only lose it.
void SleepInhibitor::settle()
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

void SleepInhibitor::ask()
{
    QDBusMessage message = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.login1"), QStringLiteral("/org/freedesktop/login1"),
        QStringLiteral("org.freedesktop.login1.Manager"), QStringLiteral("Inhibit"));
    message << kWhat << QGuiApplication::applicationDisplayName() << m_asked
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

void SleepInhibitor::askPowerManager()
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

void SleepInhibitor::whenAnswered(
    const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then)
{
    auto* const watcher = new QDBusPendingCallWatcher(call, this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, then] {
        watcher->deleteLater();
        then(*watcher);
    });
}

void SleepInhibitor::release()
{
    m_lock = {}; // closing it is what ends it
    if (const auto cookie = std::exchange(m_cookie, std::nullopt)) {
        m_session->asyncCall(powerManagerCall("UnInhibit") << *cookie);
    }
}

} // namespace lockstep::ui
