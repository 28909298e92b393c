// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/desktop/desktop.h"
#include "window/desktop/desktop_bus.h"

#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QGuiApplication>
#include <QMap>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

/// Clicked, by the specification.
constexpr const char* kOpened = "default";
constexpr int kExpiresAsTheDesktopLikes = -1;
constexpr uchar kNormal = 1;
constexpr uchar kCritical = 2;
constexpr QLatin1String kService("org.freedesktop.Notifications");
constexpr QLatin1String kObject("/org/freedesktop/Notifications");

QDBusMessage methodCall(const QString& method)
{
    return QDBusMessage::createMethodCall(kService, kObject, kService, method);
}

QVariantMap hintsOf(const Notification& notification)
{
    const uchar urgency = notification.isUrgent ? kCritical : kNormal;
    QVariantMap hints{{QStringLiteral("urgency"), QVariant::fromValue(urgency)}};
    if (const QString name = QGuiApplication::desktopFileName(); !name.isEmpty()) {
        hints.insert(QStringLiteral("desktop-entry"), name);
    }
    return hints;
}

} // namespace

/// Speaks org.freedesktop.Notifications on the session's bus
/// (https://specifications.freedesktop.org/notification-spec/latest/), which is looked for when
/// there is something to send for the first time; without one, or without such a service on it,
/// nothing is shown.
class DBusNotificationSender : public NotificationSender
{
    Q_OBJECT

public:
    void send(const Notification& notification) override
    {
        if (m_bus) {
            return call(notification);
        }
        m_waiting.push_back(notification);
        m_bus.look();
    }

    void withdraw(const QString& subject) override
    {
        std::erase_if(
            m_waiting, [&](const Notification& waiting) { return waiting.subject == subject; });
        const auto found = m_sent.find(subject);
        if (found != m_sent.end() && found->isAsking) {
            found->isWithdrawn = true;
        } else if (found != m_sent.end()) {
            close(found->id);
            m_sent.erase(found);
        }
    }

    void withdrawAll() override
    {
        m_waiting.clear();
        for (const QString& subject : m_sent.keys()) {
            withdraw(subject);
        }
    }

private slots:
    void onAction(uint id, const QString& action)
    {
        const auto found = std::find_if(
            m_sent.cbegin(), m_sent.cend(), [id](const Sent& sent) { return sent.id == id; });
        if (found == m_sent.cend()) {
            return; // of another program
        }
        const Notification notification = found->notification; // what it does may take it back
        bool isNumber = false;
        const auto number = static_cast<std::size_t>(action.toUInt(&isNumber));
        if (action == QLatin1String(kOpened) && notification.onOpened) {
            notification.onOpened();
        } else if (isNumber && number < notification.actions.size()) {
            notification.actions[number].run();
        }
    }

    void onClosed(uint id, uint /*reason*/)
    {
        m_sent.removeIf([id](const std::pair<const QString&, Sent&> sent) {
            return sent.second.id == id && !sent.second.isAsking;
        });
    }

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

    /// Names and texts in turn; an action's name is its number.
    static QStringList actionsOf(const Notification& notification)
    {
        QStringList actions;
        if (notification.onOpened) {
            actions << QLatin1String(kOpened) << tr("Show");
        }
        for (std::size_t i = 0; i < notification.actions.size(); ++i) {
            actions << QString::number(i) << notification.actions[i].text;
        }
        return actions;
    }

    void onBus()
    {
        const auto listen = [this](const char* name, const char* slot) {
            m_bus->connect(kService, kObject, kService, QLatin1String(name), this, slot);
        };
        listen("ActionInvoked", SLOT(onAction(uint, QString)));
        listen("NotificationClosed", SLOT(onClosed(uint, uint)));
        for (const Notification& notification : std::exchange(m_waiting, {})) {
            call(notification);
        }
    }

    void call(const Notification& notification)
    {
        Sent& sent = m_sent[notification.subject];
        sent.notification = notification;
        sent.isWithdrawn = false;
        sent.isOutdated = std::exchange(sent.isAsking, true);
        if (sent.isOutdated) { // only with its number can it be replaced
            return;
        }
        QDBusMessage message = methodCall(QStringLiteral("Notify"));
        message << QGuiApplication::applicationDisplayName() << sent.id
                << QGuiApplication::applicationName() << notification.title
                << notification.text.toHtmlEscaped() << actionsOf(notification)
                << hintsOf(notification) << kExpiresAsTheDesktopLikes;
        auto* const watcher = new QDBusPendingCallWatcher(m_bus->asyncCall(message), this);
        connect(
            watcher, &QDBusPendingCallWatcher::finished, this,
            [this, watcher, subject = notification.subject] {
                const QDBusPendingReply<uint> reply = *watcher;
                onAnswer(subject, reply.isError() ? 0 : reply.value());
                watcher->deleteLater();
            });
    }

    void onAnswer(const QString& subject, uint id)
    {
        const auto found = m_sent.find(subject);
        if (found == m_sent.end()) {
            return;
        }
        found->id = id;
        found->isAsking = false;
        if (id == 0 || found->isWithdrawn) {
            close(id);
            m_sent.erase(found);
        } else if (found->isOutdated) {
            call(Notification(found->notification));
        }
    }

    void close(uint id)
    {
        if (id != 0) {
            m_bus->asyncCall(methodCall(QStringLiteral("CloseNotification")) << id);
        }
    }

    std::vector<Notification> m_waiting; ///< for the bus
    QMap<QString, Sent> m_sent;          ///< by subject
    DesktopBus m_bus{QDBusConnection::SessionBus, [this] { onBus(); }};
};

std::unique_ptr<NotificationSender> makeNotificationSender()
{
    return std::make_unique<DBusNotificationSender>();
}

} // namespace lockstep::ui

#include "dbus_notification_sender.moc"
