// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/runs/run_library.h"
#include "engine/run.h"
#include "window/commands/window_commands.h"

#include <QThreadPool>

#include <filesystem>
#include <optional>
#include <vector>

namespace lockstep::ui {

struct FileKind;

/// Fills the form for the next run, which a person may change and start: anew, from a checkpoint,
/// or to go on with a run. A run of another process that is followed is left for that. GUI thread.
class SetUpCommands : public QObject
{
    Q_OBJECT

public:
    explicit SetUpCommands(const WindowParts& parts) : QObject(&parts.owner), m_parts(parts) {}

    /// Fills the form. A message says what it is, and offers to start it. While a run trains it is
    /// the next one.
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

    const WindowParts m_parts;
};

/// Starts the run that is set up, goes on with one that has ended, and says how it ended and what
/// can be done then. GUI thread.
class StartCommands : public QObject
{
    Q_OBJECT

public:
    StartCommands(const WindowParts& parts, SetUpCommands& setUps);

    /// A run is being started on another machine.
    [[nodiscard]] bool isStartingThere() const noexcept { return m_isStartingThere; }
    /// Whether the shown run can be gone on with.
    [[nodiscard]] bool canContinue() const;
    /// From which checkpoint a run that has made so many steps would go on, and what is lost.
    [[nodiscard]] static QString lossText(const std::filesystem::path& run, std::int64_t steps);

public slots:
    void start();
    /// Starts what was set up; where it can't be started the reason is told, and it can be tried
    /// again.
    void startPrepared();
    /// Of the current weights, or the newest checkpoint of a run that has ended.
    void evaluate();
    /// Goes on with the shown run from its newest checkpoint, at once; if it has made all its
    /// steps, it needs more of them first.
    void continueShownRun();
    /// Goes on with a run from its newest checkpoint, at once, until it has made so many steps in
    /// all.
    void resumeRun(const std::filesystem::path& folder, std::optional<qint64> steps = {});
    /// Goes on with its run from a checkpoint, at once.
    void resumeFrom(const std::filesystem::path& checkpoint);

signals:
    /// Another run can be gone on with, or none.
    void continuableChanged();
    /// The newest checkpoint of the shown run, which has ended, shall be scored.
    void evaluationRequested(const lockstep::ui::CheckpointItem& newest);
    /// A run was started on another machine, whose mirror this is.
    void startedThere(const std::filesystem::path& mirror);

private:
    void startThere(const RunRequest& request);
    /// Of the shown run.
    [[nodiscard]] std::vector<CheckpointItem> checkpoints() const;
    void onState(SessionController::State state);
    void onEnded(SessionController::State state);
    void onFailed(const QString& text);
    void onConfig(const RunConfig& config);
    /// As continueShownRun(), but to be changed and started.
    void setUpShownRun();

    const WindowParts m_parts;
    SetUpCommands& m_setUps;
    bool m_isNotFinite = false; ///< what the run that was started last told last of itself
    bool m_isStartingThere = false;
    RunRequest m_started; ///< what the run that is going on was started with
};

/// Opens what is on disk, a run, a checkpoint or a configuration, follows a run that another
/// process trains, and offers what a person most likely wants with it. GUI thread.
class OpenCommands : public QObject
{
    Q_OBJECT

public:
    OpenCommands(const WindowParts& parts, SetUpCommands& setUps, StartCommands& starts);

    /// Looks among the runs of the last days for one that was being trained when its process ended
    /// without a word, and asks once whether to go on with it; and for what a crash has left, of
    /// which it tells once.
    void lookForInterruptedRun();
    /// What is named on the command line, chosen, dropped, or handed over by a file manager, by
    /// what it is: see kindOf(). Of several runs the first is shown and the others lie over its
    /// charts. What can't be opened is told, and what could be.
    void open(const std::vector<std::filesystem::path>& paths);
    /// What open() will do with the first of so many, in a line.
    [[nodiscard]] QString promiseOf(const FileKind& file, std::size_t count) const;

public slots:
    /// Shows a run; its configuration, if it is one of ours, is set up for another one like it.
    /// While this window trains the run gets a window of its own.
    void openRun(const std::filesystem::path& folder);
    /// Asks whether to go on with its run or to start a new one, from its state or its weights;
    /// where nothing can be started, whether to look at its run.
    void loadCheckpoint(const std::filesystem::path& file);
    /// Sets a run up; from a model file one as it is set up now, with this network.
    void importConfiguration(const std::filesystem::path& file);

signals:
    /// Another run shall be shown while this window trains.
    void windowRequested(const std::filesystem::path& run);
    /// The runs of a machine shall be shown.
    void machineRequested(const QString& address);
    /// The network of the shown run shall be asked about these pictures, and those in folders.
    void picturesTried(const std::vector<std::filesystem::path>& places);

private:
    /// Whether the network that is shown can be asked about pictures.
    [[nodiscard]] bool canTry() const;
    /// If not, it is told.
    [[nodiscard]] bool canSetUp(const std::filesystem::path& file);
    void openOne(const FileKind& file);
    void setUpWith(const FileKind& file);
    void onStarted(const std::filesystem::path& folder, const RunConfig& config);
    void onFollowingEnded(const FollowedEnd& end);
    void offerToContinue(const RunConfig& config);
    void offerToResume(const InterruptedRun& run, bool isShown);
    void tellOfCrash();

    const WindowParts m_parts;
    SetUpCommands& m_setUps;
    StartCommands& m_starts;
    std::filesystem::path m_wanted;               ///< the run that was asked for last
    std::optional<std::filesystem::path> m_crash; ///< the newest text of one, see traceCrashes()
    Mailbox m_mailbox{*this};
    QThreadPool m_readers; ///< its end waits for what is being read
};

} // namespace lockstep::ui
