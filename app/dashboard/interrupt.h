// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace lockstep::ui {

/// Turns SIGINT and SIGTERM, of a terminal or of a desktop that shuts down, into a Qt signal, so
/// that a run can be saved. A second one ends the program at once. One object at a time.
class Interrupt : public QObject
{
    Q_OBJECT

public:
    explicit Interrupt(QObject* parent = nullptr);
    ~Interrupt() override;

signals:
    void requested();

private:
    int m_descriptor;
};

} // namespace lockstep::ui
