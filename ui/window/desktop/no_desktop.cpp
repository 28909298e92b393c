// SPDX-License-Identifier: GPL-3.0-or-later
// Built where Qt has no D-Bus.
#include "window/desktop/desktop.h"

#include <QAction>

namespace lockstep::ui {

std::unique_ptr<NotificationSender> makeNotificationSender()
{
    return nullptr;
}

void addTrainingSigns(
    SessionController& /*controller*/, LiveRun& /*run*/, QAction& keepAwake,
    WindowSettings& /*settings*/, QObject& /*owner*/)
{
    keepAwake.setVisible(false);
}

} // namespace lockstep::ui
