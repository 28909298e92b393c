// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/telemetry/stored_run.h"

#include "engine/run.h"
#include "engine/storage.h"
#include "models/engine_text.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
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

constexpr std::size_t kMostHistory = 500; // lines for the log

/// The device of each tower, as the run recorded it; of a run of an older program, the only device
/// it knew.
std::vector<TowerPlacement> seatsOf(
    const std::map<std::string, std::string>& facts, const RunConfig& config)
{
    const auto fact = [&](const char* key) {
        const auto found = facts.find(key);
        return found == facts.end() ? QString() : QString::fromStdString(found->second);
    };
    QStringList places = fact(kTowerDevicesFact).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (places.size() != config.towers) {
        const QString device = fact("device").section(QStringLiteral(": "), 0, 0);
        places.fill(
            device.isEmpty() ? QString::fromStdString(config.device) : device, config.towers);
    }
    const QStringList bytes = fact(kTowerBytesFact).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const QStringList clocks = fact(kTowerClocksFact).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<TowerPlacement> seats;
    for (qsizetype tower = 0; tower < places.size(); ++tower) {
        // 0: it does not tell.
        seats.push_back(
            {places[tower], bytes.value(tower).toLongLong(), clocks.value(tower).toDouble()});
    }
    return seats;
}

/// What happened last, with the checkpoints, which the store keeps as facts.
std::vector<RunEvent> historyOf(const RunStoreReader& reader, std::vector<RunEvent> events)
{
    for (const CheckpointFact& fact : reader.checkpoints()) {
        const QString text =
            QCoreApplication::translate("StoredRun", "Checkpoint of step %1: %2")
                .arg(QLocale().toString(static_cast<qlonglong>(fact.checkpoint.step)))
                .arg(QString::fromStdString(fact.checkpoint.file));
        events.push_back(
            {fact.checkpoint.created, "info", text.toStdString(), 0, fact.checkpoint.step});
    }
    std::ranges::stable_sort(events, {}, &RunEvent::time);
    const auto kept = std::min(events.size(), kMostHistory);
    return {events.end() - static_cast<std::ptrdiff_t>(kept), events.end()};
}

/// One that does not come to an end, say on a share that is gone, must not keep the next waiting.
constexpr int kMostThreads = 4;

constexpr std::chrono::milliseconds kGatherEvery{250};
/// Ranks that were killed say nothing. Those that go on after all are gathered again.
constexpr double kQuietSeconds = 300.0;
constexpr double kJustNow = 5.0;

} // namespace

StepBackfill::StepBackfill(Request request, std::function<void()> wake)
    : m_request(std::move(request)), m_wake(std::move(wake)),
      m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

std::optional<std::vector<StepRecord>> StepBackfill::tryTake()
{
    const std::scoped_lock lock(m_mutex);
    if (m_blocks.empty()) {
        return std::nullopt;
    }
    std::optional block(std::move(m_blocks.front()));
    m_blocks.pop_front();
    m_changed.notify_all();
    return block;
}

bool StepBackfill::isDone() const
{
    const std::scoped_lock lock(m_mutex);
    return m_isDone && m_blocks.empty();
}

void StepBackfill::stopWaiting()
{
    const std::scoped_lock lock(m_mutex);
    m_isWaitWanted = false;
    m_changed.notify_all();
}

void StepBackfill::work(const std::stop_token& stop)
{
    try {
        awaitProof(stop);
        read(stop);
    } catch (const std::exception& error) {
        m_error = engineText(error.what());
    }
    {
        const std::scoped_lock lock(m_mutex);
        m_isDone = true;
    }
    m_wake();
}

void StepBackfill::awaitProof(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (m_isWaitWanted && m_request.proof && !stop.stop_requested()) {
        lock.unlock();
        const bool isStored = isProofStored();
        lock.lock();
        if (isStored) {
            return;
        }
        m_changed.wait_for(lock, stop, kLookEvery, [this] { return !m_isWaitWanted; });
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

void StepBackfill::read(const std::stop_token& stop)
{
    std::vector<StepRecord> block;
    const RunStoreReader reader(m_request.storeFile);
    reader.forEachCurveStep(
        [&](const StepRecord& record) {
            block.push_back(record);
            if (block.size() == kBlockSteps) {
                hand(std::exchange(block, {}), stop);
            }
        },
        m_request.first, m_request.end);
    if (!block.empty()) {
        hand(std::move(block), stop);
    }
}

void StepBackfill::hand(std::vector<StepRecord> block, const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, stop, [this] { return m_blocks.size() < kBlocksAhead; });
    if (stop.stop_requested()) {
        fail(ErrorCode::Cancelled, "the steps are not wanted any more");
    }
    m_blocks.push_back(std::move(block));
    lock.unlock();
    m_wake();
}

RunPlan readStoredRun(const std::filesystem::path& folder)
{
    if (!RunFolder::isRun(folder)) {
        fail(
            ErrorCode::BadInput, "{}: not a run; choose a folder that holds run.toml and run.db",
            folder.string());
    }
    RunPlan plan;
    plan.writer = RunLock::writerOf(folder); // before the store is read: see RunFollower
    plan.folder = folder;
    plan.config = configOfRun(folder);
    const RunStoreReader reader(RunFolder::storeFileOf(folder));
    plan.branch = newestBranch(reader); // first: if it is another one soon, that is seen
    std::vector<RunEvent> events = reader.events();
    plan.events = events.size();
    plan.history = historyOf(reader, std::move(events));
    plan.nextStep = reader.nextStep();
    plan.preflight = plan.nextStep > 0 ? reader.preflight().size() : 0; // before it: all are news
    plan.evaluations = reader.evaluations();
    plan.gradients = reader.someGradients(kHistoryGradients);
    plan.nextReading = reader.newestReading() + 1; // what comes now is told twice, not missed
    plan.readings = reader.lastDeviceReadings();
    std::map<std::string, std::string> facts = reader.values();
    plan.towers = seatsOf(facts, plan.config);
    plan.objectives = severalObjectives(reader.objectives());
    plan.chance = chanceOf(reader, plan.config.model);
    plan.told = toldAlerts(reader);
    plan.recordedState = recordedState(facts);
    plan.recordedBy = QString::fromStdString(facts[kRecordedByFact]);
    return plan;
}

std::optional<RunState> recordedState(const std::map<std::string, std::string>& facts)
{
    const auto found = facts.find(kRunStateFact);
    return found == facts.end() ? std::nullopt : runStateByName(found->second);
}

std::vector<std::string> severalObjectives(std::vector<std::string> objectives)
{
    return objectives.size() > 1 ? std::move(objectives) : std::vector<std::string>();
}

std::int64_t newestBranch(const RunStoreReader& reader)
{
    const std::vector<RunBranchInfo> branches = reader.branches();
    return branches.empty() ? 0 : branches.back().id;
}

bool RunGathering::isNeeded(const std::filesystem::path& folder)
{
    return RunGatherer::isRecorded(folder) && !RunLock::writerOf(folder)
           && RunGatherer::isBehind(folder);
}

bool RunGathering::hasMore(const std::filesystem::path& folder)
{
    return RunGatherer::secondsSinceWritten(folder) < kJustNow && RunGatherer::isBehind(folder);
}

RunGathering::RunGathering(const std::filesystem::path& folder)
    : m_folder(folder),
      m_gatherer(
          std::in_place, folder, RankSources(),
          RunGatherer::Listener{
              {}, [this](std::int64_t /*nextStep*/) { return !m_stop.stop_requested(); }}),
      m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

void RunGathering::work(const std::stop_token& stop)
{
    m_stop = stop;
    std::condition_variable_any stopped;
    try {
        while (!stop.stop_requested() && m_gatherer->poll() && !m_gatherer->isOver()
               && RunGatherer::secondsSinceWritten(m_folder) < kQuietSeconds) {
            std::unique_lock lock(m_mutex);
            stopped.wait_for(lock, stop, kGatherEvery, [] { return false; });
        }
        if (!stop.stop_requested()) {
            m_gatherer->finish();
        }
    } catch (const std::exception& error) {
        const std::scoped_lock lock(m_mutex);
        m_error = engineText(error.what());
    }
    m_gatherer.reset(); // gives the lock back: who follows the run sees its end
}

QString RunGathering::takeError()
{
    const std::scoped_lock lock(m_mutex);
    return std::exchange(m_error, {});
}

RunReader::RunReader(QObject& context) : m_mailbox(context)
{
    m_threads.setMaxThreadCount(kMostThreads);
}

void RunReader::abandon()
{
    m_reading.request_stop();
    m_reading = std::stop_source();
    m_isReading = false;
}

void RunReader::read(const std::filesystem::path& run, const OnRead& onRead, const OnError& onError)
{
    abandon();
    m_isReading = true;
    m_threads.start([this, run, onRead, onError, isUnwanted = m_reading.get_token()] {
        if (isUnwanted.stop_requested()) { // while others were read
            return;
        }
        std::function<void()> tell;
        try {
            const auto gathering =
                RunGathering::isNeeded(run) ? std::make_shared<RunGathering>(run) : nullptr;
            RunPlan plan = readStoredRun(run);
            plan.gathering = gathering;
            tell = [onRead, plan] { onRead(plan); };
        } catch (const std::exception& error) {
            tell = [onError, text = engineText(error.what())] { onError(text); };
        }
        m_mailbox.post([this, tell, isUnwanted] {
            if (!isUnwanted.stop_requested()) {
                m_isReading = false;
                tell();
            }
        });
    });
}

} // namespace lockstep::ui
