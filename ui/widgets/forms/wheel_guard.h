// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace lockstep::ui {

/// Lets the wheel scroll the form rather than change a value that the pointer happens to be over:
/// only the input that has the focus hears it.
class WheelGuard : public QObject
{
    Q_OBJECT

public:
    /// Guards the input, which then takes the focus by click and tab, not by wheel.
    explicit WheelGuard(QWidget* input);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace lockstep::ui
