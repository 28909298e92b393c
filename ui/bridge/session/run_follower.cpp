// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/session/run_follower.h"

#include "bridge/telemetry/stored_run.h"
#include "engine/run.h"
#include "models/engine_text.h"

#include <chrono>
#include <exception>
#include <utility>

namespace lockstep::ui {
namespace {

/// The store is written once a second: what is there is on the screen within a quarter of one.
constexpr std::chrono::milliseconds kLookEvery{250};
/// The queue to the screen holds more.
constexpr std::int64_t kMostFollowedAtOnce = TelemetryPump::kCapacity / 2;
/// A store may be unreadable for a moment, say while its file system is busy.
constexpr int kFailuresToTell = 8;

constexpr std::chrono::milliseconds kAskEvery{500};

} // namespace

RunFollower::RunFollower(const RunPlan& plan, RunFeed& feed, SessionListener tell)
    : m_folder(plan.folder), m_branch(plan.branch), m_feed(feed), m_tell(std::move(tell)),
      m_nextStep(plan.nextStep),
      m_nextGradient(plan.gradients.empty() ? 0 : plan.gradients.back().step + 1),
      m_nextReading(plan.nextReading), m_evaluations(plan.evaluations.size()),
      m_events(plan.events), m_preflight(plan.preflight)
{
    for (const DeviceReadingRecord& reading : plan.readings) {
        m_readings[reading.device] = reading.time;
    }
    m_thread = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void RunFollower::work(const std::stop_token& stop)
{
    m_stop = stop;
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::unique_lock lock(mutex);
    bool isGoingOn = true;
    while (isGoingOn && !stop.stop_requested()) {
        try {
            isGoingOn = look();
            m_failures = 0;
        } catch (const std::exception& error) {
            if (++m_failures == kFailuresToTell) {
                m_tell(Note{NoteLevel::Warning, error.what()});
            }
        }
        stopped.wait_for(lock, stop, kLookEvery, [] { return false; });
    }
}

/// Somebody may wait for the end of the look: asked between any two records.
void RunFollower::checkWanted() const
{
    if (m_stop.stop_requested()) {
        fail(ErrorCode::Cancelled, "the run is not followed any more");
    }
}

/// False once there is nothing more to come.
bool RunFollower::look()
{
    // Asked first: what a process wrote before it went is there when the store is read.
    const bool isWritten = RunLock::writerOf(m_folder).has_value();
    const RunStoreReader reader(RunFolder::storeFileOf(m_folder));
    while (pushSteps(reader)) {
    }
    if (newestBranch(reader) != m_branch) {
        m_tell(RunBranched{});
        return false;
    }
    const auto tellNew = [this](const auto& all, std::size_t& told, const auto& tell) {
        checkWanted();
        for (; told < all.size(); ++told) {
            tell(all[told]);
        }
    };
    tellNew(reader.evaluations(), m_evaluations, [this](const auto& each) { m_tell(each); });
    tellGradients(reader);
    tellReadings(reader);
    tellCheckpoints(reader);
    tellNew(reader.preflight(), m_preflight, [this](const auto& each) { m_tell(each); });
    tellNew(reader.events(), m_events, [this](const RunEvent& event) { tell(event); });
    if (!isWritten) {
        m_tell(FollowedEnd{
            recordedState(reader.values()).value_or(RunState::Running), m_nextStep,
            engineText(m_error)});
    }
    return isWritten;
}

/// A block of new steps; whether there may be more. The branch is looked at after they were read,
/// so that none of another line is taken.
bool RunFollower::pushSteps(const RunStoreReader& reader)
{
    std::vector<StepRecord> block;
    reader.forEachStep(
        [&](const StepRecord& record) {
            checkWanted();
            block.push_back(record);
        },
        m_nextStep, m_nextStep + kMostFollowedAtOnce);
    if (block.empty() || newestBranch(reader) != m_branch) {
        return false;
    }
    for (const StepRecord& record : block) {
        m_feed.push(record);
    }
    m_nextStep = block.back().step + 1;
    return std::ssize(block) == kMostFollowedAtOnce;
}

void RunFollower::tellGradients(const RunStoreReader& reader)
{
    std::vector<GradientRecord> records;
    reader.forEachGradient(
        [&](const GradientRecord& record) {
            checkWanted();
            records.push_back(record);
        },
        m_nextGradient);
    if (!records.empty()) {
        m_nextGradient = records.back().step + 1;
        m_tell(std::move(records));
    }
}

void RunFollower::tellReadings(const RunStoreReader& reader)
{
    const std::int64_t newest = reader.newestReading();
    reader.forEachDeviceReading(
        [this](const DeviceReadingRecord& reading) {
            checkWanted();
            double& last = m_readings[reading.device];
            if (reading.time > last) {
                last = reading.time;
                m_tell(reading);
            }
        },
        m_nextReading);
    m_nextReading = newest + 1;
}

void RunFollower::tell(const RunEvent& event)
{
    const bool isInfo = event.level == toString(NoteLevel::Info);
    if (event.level == toString(NoteLevel::Error)) {
        m_error = event.text;
    }
    if (const auto kind = alertKindByName(event.kind)) {
        return m_tell(AlertRecord{*kind, isInfo, event.step, event.tower, event.text});
    }
    m_tell(Note{isInfo ? NoteLevel::Info : NoteLevel::Warning, event.text});
    if (event.kind == kLearningRateEvent || event.kind == kStepsEvent) {
        m_tell(configOfRun(m_folder));
    }
}

/// Those that are there at the first look are no news.
void RunFollower::tellCheckpoints(const RunStoreReader& reader)
{
    std::set<std::filesystem::path> files;
    for (const CheckpointFact& fact : reader.checkpoints()) {
        const std::filesystem::path file = m_folder / fact.checkpoint.file;
        const bool isNew = files.insert(file).second;
        if (isNew && m_checkpoints && !m_checkpoints->contains(file)) {
            m_tell(WrittenCheckpoint{fact.checkpoint.step, file});
        }
    }
    m_checkpoints = std::move(files);
}

RemoteControl::RemoteControl(std::filesystem::path folder, SessionListener tell)
    : m_remote(std::move(folder)), m_tell(std::move(tell)),
      m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

void RemoteControl::send(const RunCommand& command)
{
    const std::scoped_lock lock(m_mutex);
    m_commands.push_back(command);
    m_changed.notify_all();
}

void RemoteControl::wantMasks(bool areWanted)
{
    const std::scoped_lock lock(m_mutex);
    m_areMasksWanted = areWanted;
    m_changed.notify_all();
}

void RemoteControl::work(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        const bool areMasksWanted = m_areMasksWanted;
        std::optional<RunCommand> command;
        if (!m_commands.empty()) {
            command = m_commands.front();
            m_commands.pop_front();
        }
        lock.unlock();
        try {
            if (command) {
                m_remote.send(*command);
            }
        } catch (const std::exception& error) {
            m_tell(Note{NoteLevel::Warning, error.what()});
        }
        ask();
        if (areMasksWanted) {
            askForMasks();
        }
        lock.lock();
        m_changed.wait_for(lock, stop, kAskEvery, [&] {
            return !m_commands.empty() || (m_areMasksWanted && !areMasksWanted);
        });
    }
}

void RemoteControl::ask()
{
    WriterAnswer answer;
    try {
        answer.status = m_remote.status();
    } catch (const std::exception&) { // it is told as silence
    }
    m_tell(answer);
}

void RemoteControl::askForMasks()
{
    try {
        if (const auto masks = m_remote.masks(m_maskStep)) {
            m_maskStep = masks->step;
            m_tell(masks);
        }
    } catch (const std::exception&) { // none come: its state is told anyway
    }
}

RunLauncher::RunLauncher(const RunRequest& request, SessionListener tell)
    : m_launch(request), m_tell(std::move(tell)),
      m_answer(m_launch.descriptor(), QSocketNotifier::Read)
{
    QObject::connect(&m_answer, &QSocketNotifier::activated, &m_answer, [this] { look(); });
}

void RunLauncher::look()
{
    try {
        const auto folder = m_launch.poll();
        if (!folder) {
            return;
        }
        m_tell(RunLaunched{*folder});
    } catch (const Error& error) {
        const bool isAskedFor = error.code() == ErrorCode::Cancelled;
        m_tell(RunOutcome{
            .state = isAskedFor ? RunState::Stopped : RunState::Failed,
            .error = engineText(error.what())});
    } catch (const std::exception& error) {
        m_tell(RunOutcome{.error = engineText(error.what())});
    }
    m_answer.setEnabled(false);
}

} // namespace lockstep::ui
