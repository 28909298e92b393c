// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QWidget>

namespace lockstep::ui {

/// Lets the wheel scroll the form rather than change a value that the pointer happens to be over:
/// only the input that has the focus hears it, which it takes by click and tab, not by wheel.
class WheelGuard : public QObject
{
public:
    explicit WheelGuard(QWidget* input) : QObject(input)
    {
        input->setFocusPolicy(Qt::StrongFocus);
        input->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Wheel && !static_cast<QWidget*>(watched)->hasFocus()) {
            event->ignore(); // goes on to the parent
            return true;
        }
        return QObject::eventFilter(watched, event);
    }
};

} // namespace lockstep::ui
