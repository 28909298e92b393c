// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/base/mailbox.h"
#include "bridge/runs/interrupted_run.h"
#include "bridge/runs/run_library.h"
#include "bridge/session/live_run.h"
#include "engine/run.h"
#include "widgets/bars/message_bar.h"
#include "window/base/window_settings.h"

#include <QObject>
#include <QThreadPool>

#include <filesystem>
#include <functional>
#include <optional>

namespace lockstep::ui {

class RunPanel;

/// What a person does with runs and checkpoints, and what they are told about it: nothing here
/// waits, and an error becomes a message that says what can be done. GUI thread.
class RunDesk : public QObject
{
    Q_OBJECT

public:
    /// What it works with, all of which must outlive it.
    struct Parts
    {
        SessionController& controller;
        LiveRun& run;
        RunLibrary& library;
        RunPanel& panel;
        MessageBar& messages;
        WindowSettings& settings;
        QWidget& window; ///< owns the file dialogs
    };

    explicit RunDesk(const Parts& parts);
    /// Waits for what is being read.
    ~RunDesk() override;

    /// Whether the shown run can be gone on with.
    [[nodiscard]] bool canContinue() const;
    /// Looks among the runs of the last days for one that was being trained when its process ended
    /// without a word, and asks once whether to go on with it.
    void lookForInterruptedRun();
    /// Opens what is named on the command line: a run's folder, a checkpoint or a configuration.
    void open(const std::filesystem::path& path);

public slots:
    void start();
    /// Of the current weights; what comes of it is noted.
    void evaluate();
    /// The settings as they are, but from random weights and in a new folder; shows no run.
    void setUpNewRun();
    void setUp(const lockstep::RunConfig& config);
    /// Goes on with the shown run from its newest checkpoint, at once.
    void continueShownRun();
    /// Goes on with the shown run, at once, until it has made so many steps in all.
    void continueUntil(qint64 steps);
    /// Sets the shown run up to go on, for another learning rate to be typed.
    void continueWithLowerRate();
    /// Goes on with a run from its newest checkpoint, at once; one that another process trains
    /// meanwhile is followed.
    void resumeRun(const std::filesystem::path& folder);
    /// Shows a run; its configuration is set up for another one like it.
    void openRun(const std::filesystem::path& folder);
    /// Asks whether to go on with its run or to start a new one, from its state or its weights.
    void loadCheckpoint(const std::filesystem::path& file);
    void setUpToContinue(const std::filesystem::path& checkpoint);
    void resumeFrom(const std::filesystem::path& checkpoint);
    void setUpFromCheckpoint(const std::filesystem::path& checkpoint);
    /// With the weights of a checkpoint, or of the newest one of a run.
    void setUpToFineTune(const std::filesystem::path& checkpointOrRun);
    void importConfiguration(const std::filesystem::path& file);

    /// CIFAR-10 has come: offers it.
    void offerCifar10(const std::filesystem::path& folder);

signals:
    /// For the log.
    void noted(const QString& text, bool isWarning);
    void logRequested();
    /// Another run shall be shown while this window trains.
    void windowRequested(const std::filesystem::path& run);
    /// Another run can be gone on with, or none.
    void continuableChanged();

private:
    void onState(SessionController::State state);
    void onEnded(SessionController::State state);
    void onEvaluation(const EvaluationRecord& record);
    void onPreflight(const PreflightRecord& record);
    void onFollowingEnded(const FollowedEnd& end);
    void tellOfWriter();
    void offerToContinue(const RunConfig& config);
    void offerToResume(const InterruptedRun& run, bool isShown);
    void onFailed(const QString& text);
    void onConfig(const RunConfig& config);
    void startPrepared();
    /// As continueShownRun(), but to be changed and started.
    void setUpShownRun();
    void prepareToContinue(const std::filesystem::path& checkpoint);
    void prepare(const RunRequest& request, const QString& message);
    void tell(
        MessageBar::Kind kind, const QString& text, const std::vector<MessageAction>& actions = {});
    /// Runs it; an error becomes a message.
    void attempt(const std::function<void()>& work);

    Parts m_parts;
    QString m_lastWarning;      ///< of the engine, in the run that was started last
    bool m_isNotFinite = false; ///< what the run that was started last told last of itself
    bool m_isPlanned = false;   ///< the run that was started last came so far
    RunRequest m_started;       ///< what the run that is going on was started with
    Mailbox m_mailbox{*this};
    QThreadPool m_readers;
};

} // namespace lockstep::ui
