// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/desktop/desktop_bus.h"

#include <QObject>
#include <QTimer>

namespace lockstep::ui {

/// A bar at the program's icon in the task bar, where the desktop has that: Unity's launcher
/// protocol (com.canonical.Unity.LauncherEntry), which KDE's, Ubuntu's and other task bars speak.
/// GUI thread; nothing waits.
class LauncherProgress : public QObject
{
public:
    LauncherProgress();

    /// In percent, -1: no bar. Told at most once a second; that there is no bar any more, at once.
    void setPercent(int percent);

private:
    void send();

    int m_wanted = -1;
    int m_told = -1;
    QTimer m_pause; ///< after each time that it was told
    DesktopBus m_bus{QDBusConnection::SessionBus, [this] { send(); }};
};

} // namespace lockstep::ui
