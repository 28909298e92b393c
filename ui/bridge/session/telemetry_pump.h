// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/telemetry/step_backfill.h"
#include "bridge/telemetry/telemetry_queue.h"
#include "engine/records.h"

#include <QObject>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace lockstep::ui {

/// Hands the steps of a run to the GUI thread, in blocks a few times a second, in order and without
/// gaps. Steps that the full queue turned away and those before a resume are read back from the
/// run's store, off the GUI thread; what comes after them waits its turn. Does nothing while
/// nothing arrives. Lives in the GUI thread; only push() belongs to the engine thread.
class TelemetryPump : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t kCapacity = 16384;

    explicit TelemetryPump(QObject* parent = nullptr, std::size_t capacity = kCapacity);
    ~TelemetryPump() override;

    /// Engine thread: one step. Never waits; below a microsecond.
    void push(const StepRecord& record) { m_queue.push(record); }

    /// Begins to hand out the steps of a run. Those in [firstStep, nextStep) are read from the
    /// store, as far as it has them; the first that is pushed is nextStep.
    void begin(
        const std::filesystem::path& storeFile, std::int64_t firstStep, std::int64_t nextStep);
    /// The run has ended, its store is closed and no step from `endStep` on will come: emits
    /// drained() when all the others are handed out.
    void finish(std::int64_t endStep);
    /// Gives up the run whose steps come, all at once; nobody pushes any more.
    void reset();
    /// Hands out now what has arrived, as far as one block goes.
    void flush();

signals:
    void stepsArrived(const std::vector<lockstep::StepRecord>& records);
    /// Steps [first, end) could not be read back.
    void stepsLost(qint64 first, qint64 end, const QString& reason);
    void drained();

private:
    void arm(std::chrono::milliseconds rest);
    void onWoken();
    void sleep();
    void takeFromBackfill();
    void takeFromQueue();
    void readBack(std::int64_t end, std::optional<StepRecord> proof);
    void handOut(const std::vector<StepRecord>& records);
    void finishIfDrained();

    TelemetryQueue m_queue;
    QTimer m_timer;
    std::filesystem::path m_storeFile;
    std::unique_ptr<StepBackfill> m_backfill;
    bool m_isOpen = false;
    std::int64_t m_nextStep = 0; // to be handed out
    std::optional<std::int64_t> m_endStep;
};

} // namespace lockstep::ui
