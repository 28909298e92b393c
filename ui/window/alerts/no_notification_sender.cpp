// SPDX-License-Identifier: GPL-3.0-or-later
// Built where Qt has no D-Bus.
#include "window/alerts/notification_sender.h"

namespace lockstep::ui {

std::unique_ptr<NotificationSender> makeNotificationSender()
{
    return nullptr;
}

} // namespace lockstep::ui
