// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window/desktop/desktop_bus.h"
#include "window/desktop/notification_sender.h"

#include <QMap>
#include <QObject>

#include <vector>

namespace lockstep::ui {

/// Speaks org.freedesktop.Notifications on the session's bus
/// (https://specifications.freedesktop.org/notification-spec/latest/), which is looked for when
/// there is something to send for the first time; without one, or without such a service on it,
/// nothing is shown.
class DBusNotificationSender : public QObject, public NotificationSender
{
    Q_OBJECT

public:
    explicit DBusNotificationSender(QObject* parent = nullptr);

    void send(const Notification& notification) override;
    void withdraw(const QString& subject) override;
    void withdrawAll() override;

private slots:
    void onAction(uint id, const QString& action);
    void onClosed(uint id, uint reason);

private:
    /// One that was sent.
    struct Sent
    {
        Notification notification;
        uint id = 0;              ///< 0: the service has not answered yet
        bool isAsking = false;    ///< an answer is on its way
        bool isOutdated = false;  ///< what was sent: the newer one waits for the answer
        bool isWithdrawn = false; ///< so is what was sent, once the answer is there
    };

    void onBus();
    void call(const Notification& notification);
    void onAnswer(const QString& subject, uint id);
    void close(uint id);

    std::vector<Notification> m_waiting; ///< for the bus
    QMap<QString, Sent> m_sent;          ///< by subject
    DesktopBus m_bus{QDBusConnection::SessionBus, [this] { onBus(); }};
};

} // namespace lockstep::ui
