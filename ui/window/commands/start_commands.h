// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/session/session_controller.h"
#include "engine/run.h"
#include "window/commands/command_parts.h"

#include <QObject>

#include <filesystem>

namespace lockstep::ui {

class SetUpCommands;

/// Starts the run that is set up, goes on with one that has ended, and says how it ended and what
/// can be done then. GUI thread.
class StartCommands : public QObject
{
    Q_OBJECT

public:
    StartCommands(const CommandParts& parts, SetUpCommands& setUps);

    /// Whether the shown run can be gone on with.
    [[nodiscard]] bool canContinue() const;
    /// From which checkpoint a run that has made so many steps would go on, and what is lost.
    [[nodiscard]] static QString lossText(const std::filesystem::path& run, std::int64_t steps);

public slots:
    void start();
    /// Starts what was set up; where it can't be started the reason is told, and it can be tried
    /// again.
    void startPrepared();
    /// Of the current weights; what comes of it is noted.
    void evaluate();
    /// Goes on with the shown run from its newest checkpoint, at once; if it has made all its
    /// steps, it needs more of them first.
    void continueShownRun();
    /// Goes on with the shown run, at once, until it has made so many steps in all.
    void continueUntil(qint64 steps);
    /// Sets the shown run up to go on, for another learning rate to be typed.
    void continueWithLowerRate();
    /// Goes on with a run from its newest checkpoint, at once.
    void resumeRun(const std::filesystem::path& folder);
    /// Goes on with its run from a checkpoint, at once.
    void resumeFrom(const std::filesystem::path& checkpoint);

signals:
    /// Another run can be gone on with, or none.
    void continuableChanged();

private:
    void onState(SessionController::State state);
    void onEnded(SessionController::State state);
    void onFailed(const QString& text);
    void onConfig(const RunConfig& config);
    /// As continueShownRun(), but to be changed and started.
    void setUpShownRun();

    const CommandParts m_parts;
    SetUpCommands& m_setUps;
    bool m_isNotFinite = false; ///< what the run that was started last told last of itself
    bool m_isPlanned = false;   ///< the run that was started last came so far
    RunRequest m_started;       ///< what the run that is going on was started with
};

} // namespace lockstep::ui
