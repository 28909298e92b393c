// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/engine_thread.h"
#include "bridge/remote_control.h"
#include "bridge/run_follower.h"
#include "bridge/session_controller.h"
#include "bridge/telemetry_pump.h"
#include "engine/remote.h"

#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace lockstep {
struct AlertRecord;
struct DeviceReadingRecord;
struct EvaluationRecord;
struct GradientRecord;
struct MaskRecord;
struct PreflightRecord;
struct RunConfig;
struct RunRequest;
} // namespace lockstep

namespace lockstep::ui {

/// The state machine behind SessionController. What is wanted of the engine (to pause, to stop), in
/// this window or in another, and what it does are asked of it whenever it says that something
/// changed, and the state follows from the two: so a report that was overtaken by a command on its
/// way can't mislead. A run of another process is followed instead: its store is read, and its
/// process is asked how it stands. GUI thread.
class SessionWork : public EngineListener, public FollowListener, public RemoteListener
{
public:
    using State = SessionController::State;

    /// The controller's signals are emitted here; it must outlive this object.
    explicit SessionWork(SessionController& controller);
    /// Stops the run, which saves, and waits for what goes on.
    ~SessionWork() override;

    [[nodiscard]] State state() const { return m_state; }
    /// Of the run that is shown.
    [[nodiscard]] const RunPlan& plan() const { return m_plan; }
    [[nodiscard]] const std::optional<RunStatus>& writerStatus() const { return m_status; }
    [[nodiscard]] bool isWriter(RunState state) const
    {
        return m_status && m_status->state == state;
    }

    void open(const std::filesystem::path& run);
    void close();
    void start(const RunRequest& request);
    void send(const RunCommand& command);
    [[nodiscard]] std::int64_t stopStep() const;
    /// Of this run, and of those that are started later.
    void wantMasks(bool areWanted);

    void onEvaluation(const EvaluationRecord& record) override;
    void onGradients(const std::vector<GradientRecord>& records) override;
    void onDeviceReading(const DeviceReadingRecord& record) override;
    void onCheckpoint(std::int64_t step, const std::filesystem::path& file) override;
    void onNote(const QString& text, bool isWarning) override;
    void onAlert(const AlertRecord& alert) override;
    void onConfig(const RunConfig& config) override;

    void onGradientsWait() override;
    void onMasks(const std::shared_ptr<const MaskRecord>& record) override;
    void onPlanned(const RunPlan& plan) override;
    void onEngineState() override;
    void onPreflight(const PreflightRecord& record) override;
    void onEnded(const RunOutcome& outcome) override;

    void onBranched() override;
    void onWriterGone(const FollowedEnd& end) override;
    void onRemoteStatus(const std::optional<RunStatus>& status) override;
    void onRemoteError(const QString& text) override;

private:
    void show(const RunPlan& plan);
    void follow();
    void leave();
    void abandonOpening();
    void read(const std::filesystem::path& run, const std::function<void(const QString&)>& onError);
    void lookForWriter();
    void onRead(const RunPlan& plan);
    void takeGradients();
    void conclude();
    void concludeTraining(const RunOutcome& outcome);
    void update();
    void setState(State next);
    [[nodiscard]] State busyState() const;
    void onStepsLost(qint64 first, qint64 end, const QString& reason);

    SessionController& m_controller;
    State m_state = State::Idle;
    RunPlan m_plan;
    TelemetryPump m_pump;

    // A run of our own.
    bool m_isPlanned = false;
    std::optional<RunOutcome> m_outcome;
    std::optional<std::filesystem::path> m_left; ///< the run that was followed before
    std::unique_ptr<EngineThread> m_engine;
    bool m_areMasksWanted = false;
    QTimer m_gradientRest; ///< until those that wait are taken

    // A run of another process.
    std::optional<RunStatus> m_status;
    std::optional<FollowedEnd> m_followedEnd;
    std::unique_ptr<RunFollower> m_follower;
    std::unique_ptr<RemoteControl> m_remote;
    QTimer m_watch; ///< for a process that takes up the shown run

    // Of open(): what an earlier reader finds late is not taken.
    std::stop_source m_opening;
    bool m_isOpening = false;
    Mailbox m_opened;
    QThreadPool m_readers; ///< last: it waits for them
};

} // namespace lockstep::ui
