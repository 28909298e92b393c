// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/gradient_batch.h"
#include "bridge/run_listener.h"
#include "bridge/telemetry_pump.h"
#include "engine/records.h"
#include "engine/remote.h"
#include "engine/run.h"

#include <QObject>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace lockstep::ui {

/// Told what the engine thread does.
class EngineListener : public RunListener
{
public:
    virtual void onPlanned(const RunPlan& plan) = 0;
    /// EngineThread::status() may have changed.
    virtual void onEngineState() = 0;
    /// EngineThread::takeGradients() has some; told once until they are taken.
    virtual void onGradientsWait() = 0;
    /// While they are wanted, about twice a second.
    virtual void onMasks(const std::shared_ptr<const MaskRecord>& record) = 0;
    virtual void onPreflight(const PreflightRecord& record) = 0;
    /// The last word. The training and its folder are closed.
    virtual void onEnded(const RunOutcome& outcome) = 0;
};

/// One run on a thread of its own, from opening the data to the last checkpoint. Commands may be
/// given at any time and never wait. No exception leaves the thread: it becomes the outcome.
class EngineThread : private RunObserver
{
public:
    /// Steps go to `pump`; everything else is told to `listener` in the thread of `context`, as
    /// long as that lives. All three must outlive this object.
    EngineThread(
        RunRequest request, TelemetryPump& pump, QObject& context, EngineListener& listener);
    /// Stops the run, which saves, and waits for it.
    ~EngineThread() override;

    /// Error(BadInput) as TrainingRun::send(). While there is no run, only what is wanted of its
    /// state has an effect: to pause, go on or stop.
    void send(const RunCommand& command);

    /// See TrainingRun::wantMasks().
    void wantMasks(bool areWanted);

    /// Those that came since they were taken last, or as many of them as are kept.
    [[nodiscard]] std::vector<GradientRecord> takeGradients() { return m_gradients.take(); }

    /// How the run stands at this moment; empty before it is planned and after its end.
    [[nodiscard]] std::optional<RunStatus> status() const;
    /// By a command of this window, or of another that follows the run.
    [[nodiscard]] bool isPauseWanted() const;
    [[nodiscard]] bool isStopWanted() const;

private:
    class Published;

    void work();
    RunState train();
    void publish(TrainingRun* run);
    [[nodiscard]] RunPlan planOf(const TrainingRun& run) const;
    [[nodiscard]] QString explained(const std::string& error) const;
    template<class Function>
    void post(Function function);

    bool onLoading(double /*share*/) override { return !isStopWanted(); }
    bool onPlanning() override { return !isStopWanted(); }
    void onState(RunState state) override;
    void onStep(const StepRecord& record) override;
    void onGradients(const GradientRecord& record) override;
    void onMasks(const MaskRecord& record) override;
    void onEvaluation(const EvaluationRecord& record) override;
    void onDeviceReading(const DeviceReadingRecord& record) override;
    void onCheckpoint(std::int64_t step, const std::filesystem::path& file) override;
    void onPreflight(const PreflightRecord& record) override;
    void onNote(NoteLevel level, const std::string& text) override;
    void onAlert(const AlertRecord& alert) override;
    void onConfig(const RunConfig& config) override;

    RunRequest m_request;
    TelemetryPump& m_pump;
    QObject& m_context;
    EngineListener& m_listener;

    // Of the engine thread alone.
    std::int64_t m_endStep = 0;
    std::filesystem::path m_lastCheckpoint;

    GradientBatch m_gradients;

    mutable std::mutex m_mutex; // held for moments only, never while the engine works
    TrainingRun* m_run = nullptr;
    bool m_isPauseWanted = false;
    bool m_isStopWanted = false;
    bool m_areMasksWanted = false;
    std::thread m_thread;
};

} // namespace lockstep::ui
