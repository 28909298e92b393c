// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/desktop/launcher_progress.h"

#include <QDBusMessage>
#include <QGuiApplication>
#include <QVariantMap>

#include <algorithm>

namespace lockstep::ui {
namespace {

constexpr int kPauseMilliseconds = 1000;

} // namespace

LauncherProgress::LauncherProgress()
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMilliseconds);
    connect(&m_pause, &QTimer::timeout, this, [this] { setPercent(m_wanted); });
}

void LauncherProgress::setPercent(int percent)
{
    m_wanted = percent;
    if (m_wanted != m_told && (!m_pause.isActive() || m_wanted < 0)) {
        m_bus ? send() : m_bus.look();
    }
}

void LauncherProgress::send()
{
    m_told = m_wanted;
    m_pause.start();
    QDBusMessage message = QDBusMessage::createSignal(
        QStringLiteral("/com/canonical/unity/launcherentry/lockstep"),
        QStringLiteral("com.canonical.Unity.LauncherEntry"), QStringLiteral("Update"));
    message << QStringLiteral("application://%1.desktop").arg(QGuiApplication::desktopFileName())
            << QVariantMap{
                   {QStringLiteral("progress"), std::max(m_told, 0) / 100.0},
                   {QStringLiteral("progress-visible"), m_told >= 0}};
    m_bus->send(message);
}

} // namespace lockstep::ui
