// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/live_run.h"
#include "plots/parts/checklist_painting.h"

#include <QObject>

#include <vector>

namespace lockstep::ui {

class ChartsPanel;
class RunPanel;
class StartPage;
class StatusLine;
class WindowActions;

/// What the window says before there are curves: whether the run that is set up can start, in
/// Start's tool tip, in the status bar and in place of the charts; and the checklist of the run
/// that begins. GUI thread.
class Readiness : public QObject
{
    Q_OBJECT

public:
    /// What it works with, all of which must outlive it.
    struct Parts
    {
        SessionController& controller;
        LiveRun& run;
        RunPanel& panel;
        ChartsPanel& charts;
        StartPage& page;
        StatusLine& status;
        WindowActions& actions;
        bool canTrain = true; ///< not in a window that only looks at a run
    };

    explicit Readiness(const Parts& parts);

    /// What the fields decide: after every edit, so it looks at nothing but them.
    void update();

private:
    void connectChecklist();
    void tell(const QString& problem);
    void tellOfFollowed();
    [[nodiscard]] QString preparedText() const;

    const Parts m_parts;
    std::vector<ChecklistLine> m_checklist; ///< of the run that was started last
};

} // namespace lockstep::ui
