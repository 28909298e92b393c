// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/telemetry/step_backfill.h"
#include "models/engine_text.h"

#include "engine/storage.h"

#include <chrono>
#include <cmath>
#include <exception>
#include <utility>

namespace lockstep::ui {
namespace {

constexpr std::size_t kBlockSteps = 4096;
/// Bounds the memory of a long history: the reader waits while the screen catches up.
constexpr std::size_t kBlocksAhead = 4;
constexpr std::chrono::milliseconds kLookEvery{50};
/// The store keeps whole nanoseconds, a long run less; no two lines are that close.
constexpr double kTimeTolerance = 1e-8;

} // namespace

StepBackfill::StepBackfill(Request request, std::function<void()> wake)
    : m_request(std::move(request)), m_wake(std::move(wake)), m_blocks(kBlocksAhead)
{
    m_thread = std::thread([this] { work(); });
}

StepBackfill::~StepBackfill()
{
    m_blocks.close();
    stopWaiting();
    m_thread.join();
}

void StepBackfill::stopWaiting()
{
    const std::scoped_lock lock(m_mutex);
    m_isWaitWanted = false;
    m_changed.notify_all();
}

void StepBackfill::work()
{
    try {
        awaitProof();
        read();
    } catch (const std::exception& error) {
        m_error = engineText(error.what());
    }
    m_isDone = true;
    m_wake();
}

void StepBackfill::awaitProof()
{
    std::unique_lock lock(m_mutex);
    while (m_isWaitWanted && m_request.proof) {
        lock.unlock();
        const bool isStored = isProofStored();
        lock.lock();
        if (isStored || m_changed.wait_for(lock, kLookEvery, [this] { return !m_isWaitWanted; })) {
            return;
        }
    }
}

bool StepBackfill::isProofStored() const
{
    const StepRecord& proof = *m_request.proof;
    bool isStored = false;
    const RunStoreReader reader(m_request.storeFile);
    reader.forEachStep(
        [&](const StepRecord& record) {
            isStored = std::abs(record.wallSeconds - proof.wallSeconds) <= kTimeTolerance;
        },
        proof.step, proof.step + 1);
    return isStored;
}

void StepBackfill::read()
{
    std::vector<StepRecord> block;
    const auto hand = [&] {
        if (!m_blocks.push(std::exchange(block, {}))) {
            fail(ErrorCode::Cancelled, "the steps are not wanted any more");
        }
        m_wake();
    };
    const RunStoreReader reader(m_request.storeFile);
    reader.forEachCurveStep(
        [&](const StepRecord& record) {
            block.push_back(record);
            if (block.size() == kBlockSteps) {
                hand();
            }
        },
        m_request.first, m_request.end);
    if (!block.empty()) {
        hand();
    }
}

} // namespace lockstep::ui
