// SPDX-License-Identifier: Apache-2.0
#include "session/run/run_facts.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "session/config/version.h"
#include "storage/store/run_folder.h"
#include "storage/store/run_store_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <string_view>

namespace lockstep {
namespace {

/// Begins the keys of the facts that say what the devices of the run are: "device.cuda:0".
constexpr std::string_view kDevicePrefix = "device.";

std::string hostName()
{
    std::array<char, HOST_NAME_MAX + 1> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string systemText()
{
    utsname system{};
    return ::uname(&system) == 0
               ? fmt::format("{} {} {}", system.sysname, system.release, system.machine)
               : "unknown";
}

/// What `of` says of each tower.
template<class Of>
std::string ofTowers(const Stepper& stepper, Of of)
{
    std::vector<decltype(of(0))> values;
    values.reserve(static_cast<std::size_t>(stepper.shape().towers));
    for (int tower = 0; tower < stepper.shape().towers; ++tower) {
        values.push_back(of(tower));
    }
    return fmt::format("{}", fmt::join(values, " "));
}

} // namespace

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
        {kTowerDevicesFact, ofTowers(stepper, [&](int tower) { return stepper.placeOf(tower); })},
        {kTowerBytesFact, ofTowers(stepper, [&](int tower) { return stepper.bytesOf(tower); })},
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
    for (const OpReport& op : session.stepper().report()) {
        facts.push_back({"algorithm." + op.layer, op.algorithm});
    }
    return facts;
}

std::map<std::string, std::string> devicesOfRun(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> devices;
    if (folder.empty() || !RunFolder::isRun(folder)) {
        return devices;
    }
    try {
        for (const auto& [key, value] : RunStoreReader(RunFolder::storeFileOf(folder)).values()) {
            if (key.starts_with(kDevicePrefix)) {
                devices[key.substr(kDevicePrefix.size())] = value;
            }
        }
    } catch (const Error&) { // who opens the run says what is wrong with it
        devices.clear();
    }
    return devices;
}

} // namespace lockstep
