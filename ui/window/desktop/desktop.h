// SPDX-License-Identifier: GPL-3.0-or-later
// What the desktop is told. GUI thread; nothing waits.
#pragma once

#include "widgets/bars/message_bar.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QAction;

namespace lockstep::ui {

class LiveRun;
class SessionController;
class WindowSettings;

/// What the desktop tells a person who looks elsewhere.
struct Notification
{
    QString subject; ///< what it is about: a later one about the same takes its place
    QString title;
    QString text;
    bool isUrgent = false;
    std::function<void()> onOpened = {}; ///< it was clicked
    std::vector<MessageAction> actions = {};
};

/// The desktop's notifications.
class NotificationSender : public QObject
{
public:
    virtual void send(const Notification& notification) = 0;
    /// Takes back what was sent about a subject, if it is still there.
    virtual void withdraw(const QString& subject) = 0;
    virtual void withdrawAll() = 0;
};

/// That of this desktop; empty where this program was built without one (D-Bus).
std::unique_ptr<NotificationSender> makeNotificationSender();

/// Has the desktop know of a training: while this computer trains the run that is shown, it is kept
/// awake, unless `keepAwake` is off, which is kept in the settings; and its progress stands at the
/// program's icon in the task bar. Where this program was built without D-Bus there is neither, and
/// `keepAwake` is hidden.
void addTrainingSigns(
    SessionController& controller, LiveRun& run, QAction& keepAwake, WindowSettings& settings,
    QObject& owner);

/// In front of all others, with the keyboard, as far as the desktop allows.
inline void bringUp(QWidget& window)
{
    window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
    window.show();
    window.raise();
    window.activateWindow();
}

} // namespace lockstep::ui
