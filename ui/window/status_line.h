// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "panels/shared/panel.h"

#include <QTimer>

class QLabel;
class QStatusBar;
class QToolBar;

namespace lockstep::ui {

class ProgressReadout;

/// What stands in the status bar and at the end of the tool bar: state, towers, pace, the newest
/// checkpoint, accuracy; a fault on purpose, steps done and time left. Renewed a few times a
/// second, not for each step.
class StatusLine : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this object, except for the bars: their owner may be its parent.
    StatusLine(SessionController& controller, LiveRun& run, QStatusBar& bar, QToolBar& tools);

    /// Said in place of the state while nothing is going on.
    void setIdleText(const QString& text);

private:
    void refresh();
    void showProgress();
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString storedStateText() const;
    [[nodiscard]] QString writerText() const;
    [[nodiscard]] QString paceText() const;

    SessionController& m_controller;
    LiveRun& m_run;
    ProgressReadout* m_progress;
    QLabel* m_left;
    QLabel* m_right;
    QString m_idleText;
    std::pair<qint64, qint64> m_evaluated; ///< of so many test images
    RefreshTimer m_soon;                   ///< after a change
    QTimer m_clock;                        ///< "2 min ago" grows by itself
};

} // namespace lockstep::ui
