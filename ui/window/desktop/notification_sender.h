// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/bars/message_bar.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace lockstep::ui {

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

/// The desktop's notifications. GUI thread; nothing waits.
class NotificationSender
{
public:
    NotificationSender() = default;
    virtual ~NotificationSender() = default;
    NotificationSender(const NotificationSender&) = delete;
    NotificationSender& operator=(const NotificationSender&) = delete;

    virtual void send(const Notification& notification) = 0;
    /// Takes back what was sent about a subject, if it is still there.
    virtual void withdraw(const QString& subject) = 0;
    virtual void withdrawAll() = 0;
};

/// That of this desktop; empty where this program was built without one (D-Bus).
std::unique_ptr<NotificationSender> makeNotificationSender();

} // namespace lockstep::ui
