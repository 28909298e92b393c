// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/run_costs.h"

#include "base/processor_quota.h"
#include "base/thread_team.h"
#include "base/user_folder.h"
#include "dataset/files/sha256.h"
#include "dataset/formats/catalog.h"
#include "device/registry/device_registry.h"
#include "metrics/throughput.h"
#include "session/config/training_phases.h"
#include "session/config/version.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

namespace lockstep {
namespace {

constexpr const char* kHeading =
    "# What trainings cost on this machine, as measured: machine, training, costs, milliseconds of "
    "a step. It may be removed at any time\n";
constexpr double kMilliseconds = 1e3;

/// Keys that change neither a step nor the memory; beginnings of keys end with a point.
constexpr auto kIdleKeys = std::to_array<std::string_view>(
    {"steps", "epochs", "phase", "seed", "algorithms", "learning_rate.", "initial_weights.",
     "checkpoint.", "evaluate.every_steps", "evaluate.at_end", "stop.patience", "alerts."});

bool isIdle(const std::string& key)
{
    return std::ranges::any_of(kIdleKeys, [&](std::string_view idle) {
        return idle.ends_with('.') ? key.starts_with(idle) : key == idle;
    });
}

/// As a run finds it, wherever it is started.
std::string dataFolderOf(const RunConfig& config)
{
    try {
        const auto folder = datasetFolder(config.dataset, config.datasetPath);
        return folder.empty() ? "" : std::filesystem::absolute(folder).string();
    } catch (const Error&) { // not there
        return config.datasetPath;
    }
}

std::string keyOf(RunConfig config)
{
    config.validate();
    const TowerShape shape = config.towerShape();
    config.batchPerTower = shape.batchPerTower;
    config.globalBatch.reset();
    if (!config.threadsPerTower.isMeasured) {
        config.threadsPerTower = {shape.threadsPerTower};
    }
    config.datasetPath = dataFolderOf(config);
    Sha256 sum;
    if (isModelFile(config.model.name)) {
        sum.add(sha256OfFile(config.model.name, [](std::int64_t) {}));
        config.model.name.clear();
    }
    for (const ConfigKey& key : configKeys(config)) {
        if (!isIdle(key.name)) {
            sum.add(fmt::format("{}={}\n", key.name, key.value));
        }
    }
    for (const RunPhase& phase : costPhases(config)) {
        sum.add(fmt::format("{} without {}\n", phase.objective, fmt::join(phase.frozen, ",")));
    }
    return sum.digits();
}

std::string machineOf(const RunConfig& config)
{
    const DeviceInfo info = describeDevice(config.device);
    return fmt::format(
        "{} ({}), {}, {} processors of {}, {} {}", info.name, info.description, info.library,
        ThreadTeam::processors(), processorQuota().value_or(0.0), versionText(), revisionText());
}

std::string textOf(const RunCosts& costs)
{
    return fmt::format(
        "{} {} {} {} {}", costs.bytes, costs.startSeconds, costs.evaluationSeconds,
        costs.epochExamples, fmt::join(costs.stepSeconds, " "));
}

/// Empty for anything else than what textOf() writes.
std::optional<RunCosts> parseCosts(const std::string& text, std::size_t phases)
{
    std::istringstream words(text);
    RunCosts costs;
    words >> costs.bytes >> costs.startSeconds >> costs.evaluationSeconds >> costs.epochExamples;
    for (double seconds = 0.0; words >> seconds;) {
        costs.stepSeconds.push_back(seconds);
    }
    const auto isTime = [](double seconds) { return std::isfinite(seconds) && seconds > 0.0; };
    const bool isWhole = words.eof() && costs.bytes > 0 && costs.startSeconds >= 0.0
                         && costs.epochExamples > 0 && costs.stepSeconds.size() == phases
                         && std::ranges::all_of(costs.stepSeconds, isTime);
    return isWhole ? std::optional(costs) : std::nullopt;
}

bool isTrainedAlike(const RunPhase& a, const RunPhase& b)
{
    return a.objective == b.objective && a.frozen == b.frozen;
}

} // namespace

RunConfig withAllPhases(RunConfig config)
{
    if (config.epochs > 0.0) {
        config.setSteps(std::max(
            {config.steps, stepsOf(config.phases), stepsOf(usualPhases(config.model.name))}));
    }
    return config;
}

std::vector<RunPhase> costPhases(const RunConfig& config)
{
    std::vector<RunPhase> distinct;
    for (const RunPhase& phase : phasePlan(withAllPhases(config).trainedPhases())) {
        if (std::ranges::none_of(
                distinct, [&](const RunPhase& other) { return isTrainedAlike(phase, other); })) {
            distinct.push_back(phase);
        }
    }
    return distinct;
}

std::int64_t stepsOf(const RunConfig& config, const RunCosts& costs)
{
    if (config.epochs > 0.0 && costs.epochExamples == 0) {
        fail(
            ErrorCode::BadInput,
            "how many steps {} epochs are is not known before the data are there; give steps",
            config.epochs);
    }
    RunConfig counted = config;
    counted.takeEpochs(costs.epochExamples);
    return counted.steps;
}

std::int64_t evaluationsOf(const RunConfig& config, std::int64_t done, std::int64_t end)
{
    const std::int64_t every = config.evaluateEverySteps;
    const bool isAtEnd =
        config.evaluateAtEnd && end >= config.steps && (every == 0 || end % every != 0);
    return (every > 0 ? std::max<std::int64_t>(0, end / every - done / every) : 0)
           + (isAtEnd ? 1 : 0);
}

double secondsOf(const RunConfig& given, const RunCosts& costs, std::int64_t done)
{
    RunConfig config = given;
    config.setSteps(stepsOf(given, costs));
    const std::vector<RunPhase> distinct = costPhases(config);
    double seconds = costs.startSeconds;
    for (const RunPhase& phase : phasePlan(config.trainedPhases())) {
        const auto kind = std::ranges::find_if(
            distinct, [&](const RunPhase& other) { return isTrainedAlike(phase, other); });
        const std::int64_t first = std::max(done, phase.firstStep);
        seconds += static_cast<double>(std::max<std::int64_t>(0, phase.endStep - first))
                   * costs.stepSeconds.at(static_cast<std::size_t>(kind - distinct.begin()));
    }
    return seconds
           + static_cast<double>(evaluationsOf(config, done, config.steps))
                 * std::max(0.0, costs.evaluationSeconds);
}

std::optional<double> secondsUntil(
    const RunConfig& config, std::int64_t done, std::int64_t end, const Throughput& throughput,
    double evaluationSeconds)
{
    auto seconds = throughput.secondsFor(std::max<std::int64_t>(0, end - done));
    if (seconds) {
        *seconds += 2.0 * evaluationSeconds * static_cast<double>(evaluationsOf(config, done, end));
    }
    return seconds;
}

std::filesystem::path RunCostStore::defaultFile()
{
    const auto cache = userFolder("XDG_CACHE_HOME", ".cache");
    return cache.empty() ? cache : cache / "lockstep" / "costs.txt";
}

RunCostStore::RunCostStore(const RunConfig& config, std::filesystem::path file)
    : m_store(std::move(file), machineOf(config), kHeading), m_key(keyOf(config)),
      m_phases(costPhases(config).size())
{
}

std::string RunCostStore::workOf(CostSource source) const
{
    return (source == CostSource::Run ? "run " : "steps ") + m_key;
}

std::optional<RunCosts> RunCostStore::find(CostSource source)
{
    return parseCosts(m_store.find(workOf(source)), m_phases);
}

void RunCostStore::keep(CostSource source, RunCosts costs)
{
    if (costs.isDisturbed || costs.epochExamples == 0) {
        return;
    }
    if (source == CostSource::Run) {
        const auto ofRun = find(CostSource::Run);
        if (const auto known = ofRun ? ofRun : find(CostSource::Measured)) {
            costs.evaluationSeconds =
                costs.evaluationSeconds < 0.0 ? known->evaluationSeconds : costs.evaluationSeconds;
            costs.bytes = std::max(costs.bytes, known->bytes);
        }
    }
    m_store.keep(workOf(source), textOf(costs), kMilliseconds * costs.stepSeconds.at(0));
}

} // namespace lockstep
