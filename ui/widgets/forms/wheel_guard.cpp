// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/forms/wheel_guard.h"

#include <QEvent>
#include <QWidget>

namespace lockstep::ui {

WheelGuard::WheelGuard(QWidget* input) : QObject(input)
{
    input->setFocusPolicy(Qt::StrongFocus);
    input->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(watched)->hasFocus()) {
        event->ignore(); // goes on to the parent
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lockstep::ui
