// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/runs/run_library.h"
#include "bridge/session/session_controller.h"
#include "window/commands/command_parts.h"

#include <QObject>
#include <QThreadPool>

#include <filesystem>

namespace lockstep::ui {

class SetUpCommands;
class StartCommands;

/// Opens what is on disk, a run, a checkpoint or a configuration, follows a run that another
/// process trains, and offers what a person most likely wants with it. GUI thread.
class OpenCommands : public QObject
{
    Q_OBJECT

public:
    OpenCommands(const CommandParts& parts, SetUpCommands& setUps, StartCommands& starts);
    /// Waits for what is being read.
    ~OpenCommands() override;

    /// Looks among the runs of the last days for one that was being trained when its process ended
    /// without a word, and asks once whether to go on with it.
    void lookForInterruptedRun();
    /// What is named on the command line: a run's folder, a checkpoint or a configuration.
    void open(const std::filesystem::path& path);

public slots:
    /// Shows a run; its configuration is set up for another one like it. While this window trains
    /// the run gets a window of its own.
    void openRun(const std::filesystem::path& folder);
    /// Asks whether to go on with its run or to start a new one, from its state or its weights;
    /// where nothing can be started, whether to look at its run.
    void loadCheckpoint(const std::filesystem::path& file);
    void importConfiguration(const std::filesystem::path& file);

signals:
    /// Another run shall be shown while this window trains.
    void windowRequested(const std::filesystem::path& run);

private:
    void onStarted(const std::filesystem::path& folder, const RunConfig& config);
    void onFollowingEnded(const FollowedEnd& end);
    void offerToContinue(const RunConfig& config);
    void offerToResume(const InterruptedRun& run, bool isShown);

    const CommandParts m_parts;
    SetUpCommands& m_setUps;
    StartCommands& m_starts;
    Mailbox m_mailbox{*this};
    QThreadPool m_readers;
};

} // namespace lockstep::ui
