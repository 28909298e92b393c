// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"

#include <QElapsedTimer>
#include <QObject>

#include <filesystem>

namespace lockstep::ui {

class LogPanel;

/// Keeps the log to the run that is shown: its history where it has one, and now and then the line
/// of a step as the classic scripts print it. GUI thread.
class RunLog : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this object, which is the panel's.
    RunLog(SessionController& controller, LiveRun& run, LogPanel& panel);

private:
    void onBegun();
    void onHistory(const std::vector<RunEvent>& events);
    void onSteps(const std::vector<StepRecord>& records);
    void append(const StepRecord& record);

    SessionController& m_controller;
    LiveRun& m_run;
    LogPanel& m_panel;
    QElapsedTimer m_sinceStep;
    std::filesystem::path m_logged; ///< the run whose lines are there
    bool m_hasHistory = false;      ///< of that run
};

} // namespace lockstep::ui
