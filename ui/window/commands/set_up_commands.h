// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run.h"
#include "window/commands/command_parts.h"

#include <QObject>

#include <filesystem>

namespace lockstep::ui {

/// Fills the form for the next run, which a person may change and start: anew, from a checkpoint,
/// or to go on with a run. A run of another process that is followed is left for that. GUI thread.
class SetUpCommands : public QObject
{
    Q_OBJECT

public:
    explicit SetUpCommands(const CommandParts& parts) : m_parts(parts) {}

    /// Fills the form. A message says what it is, and offers to start it.
    void prepare(const RunRequest& request, const QString& message = {});
    /// Errors of requestToContinue(); Error(BadInput) if the checkpoint is not in a run.
    void prepareToContinue(const std::filesystem::path& checkpoint);

public slots:
    /// Another run than the one that is shown, which goes from the window.
    void setUp(const lockstep::RunConfig& config);
    /// The settings as they are, but from random weights and in a new folder.
    void setUpNewRun();
    void setUpToContinue(const std::filesystem::path& checkpoint);
    void setUpFromCheckpoint(const std::filesystem::path& checkpoint);
    /// With the weights of a checkpoint, or of the newest one of a run.
    void setUpToFineTune(const std::filesystem::path& checkpointOrRun);
    /// CIFAR-10 has come: offers it.
    void offerCifar10(const std::filesystem::path& folder);

signals:
    void startRequested();

private:
    void leaveShownRun();

    const CommandParts m_parts;
};

} // namespace lockstep::ui
