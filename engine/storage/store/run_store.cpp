// SPDX-License-Identifier: Apache-2.0
#include "storage/store/run_store.h"

#include "base/clock.h"
#include "base/thread_team.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store_writer.h"

#include <pthread.h>

#include <utility>

namespace lockstep {
namespace {

// A transaction is begun early when this many records wait, to bound memory and its own length.
constexpr std::size_t kEarly = 20'000;
constexpr std::size_t kMostBytes = 64 << 20;

std::size_t bytesOf(const RunRecord& record)
{
    if (const auto* gradients = std::get_if<GradientRecord>(&record)) {
        const auto& parameters = gradients->parameters;
        const std::size_t towers = parameters.empty() ? 0 : parameters.front().towers.size();
        return sizeof(RunRecord)
               + parameters.size()
                     * (sizeof(ParameterGradientRecord) + towers * sizeof(TowerGradientRecord));
    }
    if (const auto* evaluation = std::get_if<EvaluationRecord>(&record)) {
        return sizeof(RunRecord) + evaluation->images.size() * sizeof(ImageScore)
               + evaluation->classified.size() * sizeof(ClassifiedImage);
    }
    const auto* step = std::get_if<StepRecord>(&record);
    return sizeof(RunRecord) + (step == nullptr ? 0 : step->towers.size() * sizeof(TowerRecord));
}

/// Gives it the time, if it is a thing that has one.
void stamp(RunRecord& record)
{
    if (auto* event = std::get_if<RunEvent>(&record)) {
        event->time = secondsSince1970();
    } else if (auto* checkpoint = std::get_if<RunCheckpoint>(&record)) {
        checkpoint->created = secondsSince1970();
    }
}

void checkBranch(const RunBranch& branch)
{
    require(
        branch.fromStep >= 0 && branch.towers > 0 && branch.towers <= RunBranch::kMostTowers
            && branch.batchPerTower >= 0 && branch.trainingExamples >= 0,
        "a branch without towers, or with too many");
}

} // namespace

RunStore::RunStore(const std::filesystem::path& file, const RunStoreOptions& options)
    : m_writeEvery(options.writeEvery),
      m_writer(std::make_unique<RunStoreWriter>(file, options.fileSystem)),
      m_branch(m_writer->branch()), m_thread([this] { work(); })
{
    pthread_setname_np(m_thread.native_handle(), "run-store");
}

RunStore::~RunStore()
{
    try {
        close();
    } catch (const Error&) {
        // A destructor can't throw; who wants to know calls close().
    }
}

void RunStore::throwFailure() const
{
    if (m_failure) {
        throw Error(*m_failure);
    }
}

void RunStore::append(RunRecord record)
{
    stamp(record);
    const std::size_t bytes = bytesOf(record);
    std::unique_lock lock(m_mutex);
    m_moved.wait(lock, [this] { return m_pendingBytes < kMostBytes || m_failure; });
    throwFailure();
    require(!m_isClosed, "a record for a run store that is closed");
    if (const auto* branch = std::get_if<RunBranch>(&record)) {
        checkBranch(*branch);
        ++m_branch; // as the writer will count
    }
    m_pending.push_back(std::move(record));
    m_pendingBytes += bytes;
    ++m_appended;
    // The writer sleeps only while nothing waits, or until its time; no need to wake it each step.
    if (m_pending.size() == 1 || m_pending.size() == kEarly) {
        m_wake.notify_one();
    }
}

std::int64_t RunStore::branch() const
{
    const std::scoped_lock lock(m_mutex);
    return m_branch;
}

void RunStore::flush()
{
    std::unique_lock lock(m_mutex);
    m_isUrgent = true;
    m_wake.notify_one();
    const auto goal = m_appended;
    m_moved.wait(lock, [&] { return m_written >= goal || m_failure; });
    throwFailure();
}

void RunStore::close()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isClosed = true;
        m_wake.notify_one();
    }
    if (m_thread.joinable()) {
        m_thread.join();
    }
    m_writer.reset();
    throwFailure();
}

std::vector<RunRecord> RunStore::take()
{
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, [this] { return !m_pending.empty() || m_isClosed; });
    m_wake.wait_for(lock, m_writeEvery, [this] {
        return m_isUrgent || m_isClosed || m_pending.size() >= kEarly;
    });
    m_isUrgent = false;
    m_pendingBytes = 0;
    m_moved.notify_all();
    return std::exchange(m_pending, {});
}

void RunStore::finish(std::size_t written, const std::optional<Error>& failure)
{
    const std::scoped_lock lock(m_mutex);
    m_written += written;
    m_failure = failure;
    m_moved.notify_all();
}

void RunStore::work()
{
    const SignalStack stack;
    for (auto records = take(); !records.empty(); records = take()) {
        try {
            m_writer->write(records);
            finish(records.size(), std::nullopt);
        } catch (const Error& error) {
            finish(0, error);
            return;
        } catch (const std::exception& error) {
            finish(0, Error(ErrorCode::Internal, error.what()));
            return;
        }
    }
}

void addEvaluation(const std::filesystem::path& run, const EvaluationRecord& evaluation)
{
    const RunFolder folder = RunFolder::resume(run);
    const RunRecord record = evaluation;
    RunStoreWriter(folder.storeFile(), {}).write({&record, 1});
}

} // namespace lockstep
