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

/// Ends a look that nobody wants any more.
struct Unwanted
{
};

constexpr std::chrono::milliseconds kAskEvery{500};

} // namespace

RunFollower::RunFollower(
    const RunPlan& plan, RunFeed& feed, QObject& context, SessionListener listener)
    : m_folder(plan.folder), m_storeFile(plan.storeFile), m_branch(plan.branch), m_feed(feed),
      m_told(context, std::move(listener)), m_nextStep(plan.nextStep),
      m_nextGradient(plan.gradients.empty() ? 0 : plan.gradients.back().step + 1),
      m_nextReading(plan.nextReading), m_evaluations(plan.evaluations.size()),
      m_events(plan.events), m_preflight(plan.preflight)
{
    for (const DeviceReadingRecord& reading : plan.readings) {
        m_readings[reading.device] = reading.time;
    }
    m_thread = std::thread([this] { work(); });
}

RunFollower::~RunFollower()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isWanted = false;
    }
    m_changed.notify_all();
    m_thread.join();
}

void RunFollower::work()
{
    bool isGoingOn = true;
    while (isGoingOn) {
        try {
            isGoingOn = look();
            m_failures = 0;
        } catch (const Unwanted&) {
            return;
        } catch (const std::exception& error) {
            if (++m_failures == kFailuresToTell) {
                m_told.post(Note{NoteLevel::Warning, error.what()});
            }
        }
        std::unique_lock lock(m_mutex);
        isGoingOn =
            !m_changed.wait_for(lock, kLookEvery, [this] { return !m_isWanted; }) && isGoingOn;
    }
}

/// Somebody may wait for the end of the look: asked between any two records.
void RunFollower::checkWanted() const
{
    if (!m_isWanted) {
        throw Unwanted();
    }
}

/// False once there is nothing more to come.
bool RunFollower::look()
{
    // Asked first: what a process wrote before it went is there when the store is read.
    const bool isWritten = RunLock::writerOf(m_folder).has_value();
    const RunStoreReader reader(m_storeFile);
    while (pushSteps(reader)) {
    }
    if (newestBranch(reader) != m_branch) {
        m_told.post(RunBranched{});
        return false;
    }
    const auto tellNew = [this](const auto& all, std::size_t& told, const auto& tell) {
        checkWanted();
        for (; told < all.size(); ++told) {
            tell(all[told]);
        }
    };
    tellNew(reader.evaluations(), m_evaluations, [this](const auto& each) { m_told.post(each); });
    tellGradients(reader);
    tellReadings(reader);
    tellCheckpoints(reader);
    tellNew(reader.preflight(), m_preflight, [this](const auto& each) { m_told.post(each); });
    tellNew(reader.events(), m_events, [this](const RunEvent& event) { tell(event); });
    if (!isWritten) {
        m_told.post(FollowedEnd{
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
        m_told.post(std::move(records));
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
                m_told.post(reading);
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
        return m_told.post(AlertRecord{*kind, isInfo, event.step, event.tower, event.text});
    }
    m_told.post(Note{isInfo ? NoteLevel::Info : NoteLevel::Warning, event.text});
    if (event.kind == kLearningRateEvent || event.kind == kStepsEvent) {
        m_told.post(configOfRun(m_folder));
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
            m_told.post(WrittenCheckpoint{fact.checkpoint.step, file});
        }
    }
    m_checkpoints = std::move(files);
}

RemoteControl::RemoteControl(
    std::filesystem::path folder, QObject& context, SessionListener listener)
    : m_remote(std::move(folder)), m_told(context, std::move(listener))
{
    m_thread = std::thread([this] { work(); });
}

RemoteControl::~RemoteControl()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_isWanted = false;
        m_commands.clear();
    }
    m_changed.notify_all();
    m_thread.join();
}

void RemoteControl::send(const RunCommand& command)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_commands.push_back(command);
    }
    m_changed.notify_all();
}

void RemoteControl::wantMasks(bool areWanted)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_areMasksWanted = areWanted;
    }
    m_changed.notify_all();
}

void RemoteControl::work()
{
    std::unique_lock lock(m_mutex);
    while (m_isWanted) {
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
            m_told.post(Note{NoteLevel::Warning, error.what()});
        }
        ask();
        if (areMasksWanted) {
            askForMasks();
        }
        lock.lock();
        m_changed.wait_for(lock, kAskEvery, [&] {
            return !m_isWanted || !m_commands.empty() || (m_areMasksWanted && !areMasksWanted);
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
    m_told.post(answer);
}

void RemoteControl::askForMasks()
{
    try {
        if (const auto masks = m_remote.masks(m_maskStep)) {
            m_maskStep = masks->step;
            m_told.post(masks);
        }
    } catch (const std::exception&) { // none come: its state is told anyway
    }
}

} // namespace lockstep::ui
