// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/telemetry_pump.h"

#include <QElapsedTimer>

#include <malloc.h>

#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::chrono::milliseconds kFrame{16}; // while there is more than one turn takes
/// While a run goes on. Each time that this thread wakes it takes a processor from a tower, so it
/// looks now and then instead of being called for every step.
constexpr std::chrono::milliseconds kBeat{160};
/// Keeps one turn short, so that the window answers while it catches up.
constexpr qint64 kMillisecondsAtOnce = 8;
constexpr std::size_t kMostStepsAtOnce = 4096;

} // namespace

TelemetryQueue::TelemetryQueue(std::size_t capacity, std::function<void()> wake)
    : m_slots(capacity), m_wake(std::move(wake))
{
}

bool TelemetryQueue::push(const StepRecord& record)
{
    const std::size_t pushed = m_pushed.load(std::memory_order_relaxed);
    const bool hasRoom = pushed - m_taken.load(std::memory_order_acquire) < m_slots.size();
    if (hasRoom) {
        m_slots[pushed % m_slots.size()] = record;
        m_pushed.store(pushed + 1, std::memory_order_release);
    }
    // If listen() comes after this exchange it sees the record; if it came before, this wakes.
    if (!m_isTakerAwake.exchange(true, std::memory_order_acq_rel)) {
        m_wake();
    }
    return hasRoom;
}

const StepRecord* TelemetryQueue::front() const
{
    const std::size_t taken = m_taken.load(std::memory_order_relaxed);
    return taken == m_pushed.load(std::memory_order_acquire) ? nullptr
                                                             : &m_slots[taken % m_slots.size()];
}

void TelemetryQueue::pop()
{
    m_taken.store(m_taken.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

TelemetryPump::TelemetryPump(QObject* parent, std::size_t capacity)
    : QObject(parent), m_queue(capacity, [this] {
          const auto onWoken = [this] { // by what was pushed after nothing had come for a while
              if (m_isOpen && !m_timer.isActive()) {
                  flush();
              }
          };
          QMetaObject::invokeMethod(this, onWoken, Qt::QueuedConnection);
      })
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &TelemetryPump::flush);
}

void TelemetryPump::arm(std::chrono::milliseconds rest)
{
    if (m_isOpen && !m_timer.isActive()) {
        m_timer.start(rest);
    }
}

void TelemetryPump::begin(
    const std::filesystem::path& storeFile, std::int64_t firstStep, std::int64_t nextStep)
{
    m_backfill.reset(); // of a run that was only shown
    m_storeFile = storeFile;
    m_nextStep = firstStep;
    m_endStep.reset();
    m_isOpen = true;
    if (firstStep < nextStep) {
        readBack(nextStep, std::nullopt);
    }
    arm(kFrame);
}

void TelemetryPump::finish(std::int64_t endStep)
{
    m_endStep = endStep;
    if (m_backfill) {
        m_backfill->stopWaiting();
    }
    flush();
}

void TelemetryPump::reset()
{
    m_backfill.reset();
    m_isOpen = false;
    m_timer.stop();
    m_queue.listen();
    while (m_queue.front() != nullptr) {
        m_queue.pop();
    }
}

void TelemetryPump::flush()
{
    if (!m_isOpen) {
        m_queue.listen();
        return;
    }
    if (m_backfill) {
        takeFromBackfill();
    } else {
        takeFromQueue();
    }
    finishIfDrained();
}

void TelemetryPump::takeFromBackfill()
{
    QElapsedTimer time;
    time.start();
    // As many as leave time for painting: a long history is there in a second.
    while (time.elapsed() < kMillisecondsAtOnce) {
        const auto block = m_backfill->tryTake();
        if (!block) {
            break;
        }
        arm(kFrame); // from the turn's begin
        handOut(*block);
    }
    if (!m_backfill->isDone()) {
        return;
    }
    const std::int64_t end = m_backfill->request().end;
    const QString error = std::exchange(m_backfill, nullptr)->error();
    malloc_trim(0); // what a long history was read with: the system doesn't get it back by itself
    if (m_nextStep < end) {
        emit stepsLost(
            m_nextStep, end, error.isEmpty() ? tr("they are missing from the run's store") : error);
    }
    m_nextStep = end;
    arm(kFrame);
}

void TelemetryPump::takeFromQueue()
{
    std::vector<StepRecord> block;
    const StepRecord* record = m_queue.front();
    std::int64_t next = m_nextStep;
    for (; record != nullptr && record->step == next && block.size() < kMostStepsAtOnce;
         record = m_queue.front()) {
        block.push_back(*record);
        m_queue.pop();
        ++next;
    }
    const bool isGap = record != nullptr && record->step != next;
    handOut(block);
    if (isGap) {
        readBack(record->step, *record);
    } else if (record != nullptr) {
        arm(kFrame);
    } else if (!block.empty()) {
        arm(kBeat);
    } else { // until something is pushed
        m_queue.listen();
        if (m_queue.front() != nullptr) { // just before that
            arm(kBeat);
        }
    }
}

void TelemetryPump::readBack(std::int64_t end, std::optional<StepRecord> proof)
{
    if (m_endStep) {
        proof.reset(); // the store is complete
    }
    m_backfill = std::make_unique<StepBackfill>(
        StepBackfill::Request{m_storeFile, m_nextStep, end, std::move(proof)}, [this] {
            QMetaObject::invokeMethod(
                this, [this] { arm(kFrame); }, Qt::QueuedConnection);
        });
}

void TelemetryPump::handOut(const std::vector<StepRecord>& records)
{
    if (!records.empty()) {
        m_nextStep = records.back().step + 1;
        emit stepsArrived(records);
    }
}

void TelemetryPump::finishIfDrained()
{
    if (!m_endStep || m_backfill || m_queue.front() != nullptr) {
        return;
    }
    if (m_nextStep < *m_endStep) {
        readBack(*m_endStep, std::nullopt);
        return;
    }
    m_isOpen = false;
    m_timer.stop();
    emit drained();
}

} // namespace lockstep::ui
