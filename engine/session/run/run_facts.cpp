// SPDX-License-Identifier: Apache-2.0
#include "session/run/run_facts.h"

#include "base/error.h"
#include "base/this_program.h"
#include "base/thread_team.h"
#include "ranks/ranks.h"
#include "session/config/run_data.h"
#include "session/config/version.h"
#include "session/evaluation/image_classes.h"
#include "session/run/run_ancestry.h"
#include "session/run/training_event.h"
#include "storage/store/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string_view>

namespace lockstep {
namespace {

/// Begins the keys of the facts that say what the devices of the run are: "device.cuda:0".
constexpr std::string_view kDevicePrefix = "device.";

std::string systemText()
{
    utsname system{};
    return ::uname(&system) == 0
               ? fmt::format("{} {} {}", system.sysname, system.release, system.machine)
               : "unknown";
}

/// What each tower takes; those of other ranks as the own ones, which are all alike.
std::string towerBytes(const TrainingSession& session)
{
    const TowerRange own = session.plan().share.of(session.plan().config.towers);
    std::vector<std::size_t> bytes;
    for (int tower = 0; tower < session.plan().config.towers; ++tower) {
        const bool isOwn = tower >= own.first && tower < own.first + own.count;
        bytes.push_back(session.stepper().bytesOf(isOwn ? tower : own.first));
    }
    return fmt::format("{}", fmt::join(bytes, " "));
}

/// None where the folder holds no run that tells.
std::map<std::string, std::string> factsOf(const std::filesystem::path& folder)
{
    try {
        return folder.empty() || !RunFolder::isRun(folder)
                   ? std::map<std::string, std::string>()
                   : RunStoreReader(RunFolder::storeFileOf(folder)).values();
    } catch (const Error&) { // who opens the run says what is wrong with it
        return {};
    }
}

} // namespace

RunValue towerClocks(const TrainingSession& session)
{
    return {kTowerClocksFact, fmt::format("{}", fmt::join(session.clockUncertainties(), " "))};
}

std::vector<RunValue> runFacts(
    const RunConfig& config, const TrainingSession& session, const Dataset& training)
{
    const DeviceInfo& info = session.plan().devices.first().info();
    const Stepper& stepper = session.stepper();
    const TowerShape& shape = stepper.shape();
    const std::string& measured = session.plan().measuredThreads;
    const std::string& unboundBecause = session.stepper().threads().unboundBecause();
    std::vector<RunValue> facts{
        {"version", versionText()},
        {"revision", revisionText()},
        {"compiler", __VERSION__},
        {"host", hostName()},
        {"system", systemText()},
        {"processors", std::to_string(ThreadTeam::processors())},
        {"device", fmt::format("{}: {}", info.name, info.description)},
        {"library", info.library},
        {"model", session.plan().network.name},
        {"dataset", training.info().name},
        {"training_examples", std::to_string(training.size())},
        {"towers", std::to_string(shape.towers)},
        {kTowerDevicesFact, fmt::format("{}", fmt::join(session.places(), " "))},
        {kTowerBytesFact, towerBytes(session)},
        {"threads_per_tower", std::to_string(shape.threadsPerTower)},
        {kMeasuredThreadsNote, measured.empty() ? "no" : measured},
        {"bound_threads", unboundBecause.empty() ? "yes" : unboundBecause},
        {"batch_per_tower", std::to_string(shape.batchPerTower)},
        {"loader_threads", std::to_string(config.loaderThreads(session.plan().devices.first()))},
        {"precision", config.precision},
        {"seed", std::to_string(config.seed)},
        {kConfigurationFact, toToml(config)}};
    for (const auto& device : session.plan().devices.devices) {
        facts.push_back(
            {std::string(kDevicePrefix) + device->info().name, device->info().description});
    }
    if (const Ranks* const ranks = session.plan().share.ranks; ranks != nullptr) {
        facts.push_back({"ranks", std::to_string(ranks->size())});
        facts.push_back({"ranks_library", ranks->library()});
        facts.push_back(towerClocks(session));
    }
    for (const OpReport& op : session.stepper().report()) {
        if (!op.algorithm.empty()) {
            facts.push_back({"algorithm." + op.layer, op.algorithm});
        }
    }
    return facts;
}

Chance chanceOf(const TrainingPlan& plan)
{
    if (!classifiesImages(plan.network)) {
        return {};
    }
    std::map<std::int32_t, std::int64_t> examples; // by label
    for (std::int64_t i = 0; i < plan.training.size(); ++i) {
        ++examples[plan.training.example(i).label];
    }
    if (examples.size() < 2 || trainingOrderOf(plan.config) == ExampleOrder::Balanced) {
        return static_cast<int>(examples.size());
    }
    Chance chance;
    for (const auto& [label, count] : examples) {
        const double share = static_cast<double>(count) / static_cast<double>(plan.training.size());
        chance.accuracy = std::max(chance.accuracy, share);
        chance.crossEntropy -= share * std::log(share);
    }
    return chance;
}

Chance chanceOf(const RunStoreReader& store, ModelSettings model)
{
    const auto facts = store.values();
    if (facts.contains(kRecordedByFact)) {
        return {};
    }
    if (const auto told = facts.find(kChanceFact); told != facts.end()) {
        Chance chance;
        std::istringstream(told->second) >> chance.accuracy >> chance.crossEntropy;
        return chance;
    }
    if (takesClasses(model)) {
        const auto named = std::ssize(store.classNames()) - (hasBackgroundClass(model) ? 1 : 0);
        model.classes = std::max<std::int64_t>(0, named);
    }
    return classesToLearn(model);
}

std::vector<AlertRecord> toldAlerts(const RunStoreReader& store)
{
    const std::vector<RunBranchInfo> branches = store.branches();
    const RunAncestry line(branches, branches.empty() ? 0 : branches.back().id);
    std::vector<AlertRecord> told;
    for (const RunEvent& event : store.events()) {
        const auto kind = alertKindByName(event.kind);
        if (kind && event.level == toString(NoteLevel::Warning)
            && line.holds(event.branch, event.step)) {
            told.push_back({*kind, false, event.step, event.tower, event.text});
        }
    }
    return told;
}

std::map<std::string, std::string> devicesOfRun(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> devices;
    for (const auto& [key, value] : factsOf(folder)) {
        if (key.starts_with(kDevicePrefix)) {
            devices[key.substr(kDevicePrefix.size())] = value;
        }
    }
    return devices;
}

std::string recorderOf(const std::filesystem::path& folder)
{
    return factsOf(folder)[kRecordedByFact];
}

} // namespace lockstep
