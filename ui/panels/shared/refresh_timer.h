// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <chrono>

namespace lockstep::ui {

/// Says when what shows a run is to be renewed while new figures keep coming. All timers of one
/// interval are due at the same moments of one clock: the window wakes once for all of them, since
/// each time it does it takes a processor from a tower. GUI thread.
class RefreshTimer : public QObject
{
    Q_OBJECT

public:
    /// For figures: those that change faster can't be read, and slower ones are not live.
    static constexpr std::chrono::milliseconds kOfFigures{480};

    explicit RefreshTimer(QObject* parent = nullptr);

    /// There is something new: due() follows at the next moment, once for all requests until then.
    void request(std::chrono::milliseconds interval = kOfFigures);

signals:
    void due();

private:
    QTimer m_timer;
};

} // namespace lockstep::ui
