// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bridge/telemetry/stored_run.h"
#include "engine/records.h"

#include <QObject>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace lockstep::ui {

/// Step records on their way from the engine thread to the GUI thread: a ring without locks, so
/// that nothing that befalls the GUI thread can delay a step. One thread pushes, one thread takes.
/// A slot keeps the memory of the record it held, so that after one round a push allocates nothing.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding): the counters stand apart on purpose
class TelemetryQueue
{
public:
    /// `wake` is called on the pushing thread when there is something to take: once, and again only
    /// after the next listen(). It must not wait.
    TelemetryQueue(std::size_t capacity, std::function<void()> wake);

    /// Pushing thread. Never waits. False when the queue is full: the record is not kept, which the
    /// taker sees by a gap in the numbers of the steps.
    bool push(const StepRecord& record);

    /// Taking thread, before it looks: asks to be woken by whatever is pushed from now on.
    void listen() { m_isTakerAwake.exchange(false, std::memory_order_acq_rel); }
    /// Taking thread: the oldest record, or nothing. Valid until pop().
    [[nodiscard]] const StepRecord* front() const;
    /// Taking thread: removes the oldest record, which must be there.
    void pop();

private:
    std::vector<StepRecord> m_slots;
    std::function<void()> m_wake;
    // Records pushed and taken since the beginning, each written by one side only; apart, so that
    // the two sides don't fight for one cache line.
    alignas(64) std::atomic<std::size_t> m_pushed{0};
    alignas(64) std::atomic<std::size_t> m_taken{0};
    alignas(64) std::atomic<bool> m_isTakerAwake{false};
};

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
