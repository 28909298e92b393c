// SPDX-License-Identifier: GPL-3.0-or-later
#include "bridge/telemetry/stored_run.h"

#include "engine/run.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <utility>

namespace lockstep::ui {
namespace {

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
    const auto towers = static_cast<std::size_t>(config.towers);
    const QStringList places = fact(kTowerDevicesFact).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (static_cast<std::size_t>(places.size()) == towers) {
        std::vector<TowerPlacement> seats;
        for (const QString& place : places) {
            seats.push_back({place, 0});
        }
        return seats;
    }
    const QString device = fact("device").section(QStringLiteral(": "), 0, 0);
    return std::vector<TowerPlacement>(
        towers, {device.isEmpty() ? QString::fromStdString(config.device) : device, 0});
}

/// What happened last, with the checkpoints, which the store keeps as facts.
std::vector<RunEvent> historyOf(const RunStoreReader& reader, std::vector<RunEvent> events)
{
    for (const CheckpointFact& fact : reader.checkpoints()) {
        RunEvent event;
        event.time = fact.checkpoint.created;
        event.level = "info";
        event.text = QCoreApplication::translate("StoredRun", "Checkpoint of step %1: %2")
                         .arg(QLocale().toString(static_cast<qlonglong>(fact.checkpoint.step)))
                         .arg(QString::fromStdString(fact.checkpoint.file))
                         .toStdString();
        event.step = fact.checkpoint.step;
        events.push_back(std::move(event));
    }
    std::ranges::stable_sort(events, {}, &RunEvent::time);
    const auto kept = std::min(events.size(), kMostHistory);
    return {events.end() - static_cast<std::ptrdiff_t>(kept), events.end()};
}

} // namespace

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
    plan.storeFile = RunFolder::storeFileOf(folder);
    plan.config = configOfRun(folder);
    const RunStoreReader reader(plan.storeFile);
    plan.branch = newestBranch(reader); // first: if it is another one soon, that is seen
    std::vector<RunEvent> events = reader.events();
    plan.events = events.size();
    plan.history = historyOf(reader, std::move(events));
    plan.nextStep = reader.nextStep();
    plan.evaluations = reader.evaluations();
    plan.gradients = reader.someGradients(kHistoryGradients);
    plan.nextReading = reader.newestReading() + 1; // what comes now is told twice, not missed
    plan.readings = reader.lastDeviceReadings();
    const std::map<std::string, std::string> facts = reader.values();
    plan.towers = seatsOf(facts, plan.config);
    plan.objectives = severalObjectives(reader.objectives());
    plan.recordedState = recordedState(facts);
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

} // namespace lockstep::ui
