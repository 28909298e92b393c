// SPDX-License-Identifier: Apache-2.0
#include "session/bench/scaling_run.h"

#include "base/enum_names.h"
#include "base/thread_team.h"
#include "device/registry/device_registry.h"
#include "input/batch_arithmetic.h"
#include "session/bench/bench_steps.h"
#include "session/bench/bench_trial.h"
#include "session/training/training_session.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>

namespace lockstep {
namespace {

constexpr EnumNames<ScalingFix, 2> kFixes{{"per-tower", "global"}};

constexpr const char* kHost = "cpu";
constexpr int kMostUseful = 8; ///< of processors: more take a person's patience

bool isHost(const RunConfig& config)
{
    return describeDevice(config.device).name == kHost;
}

int availableGpus()
{
    return static_cast<int>(std::ranges::count_if(findDevices(), [](const DeviceReport& report) {
        return report.isAvailable && report.name != kHost;
    }));
}

/// What all numbers of towers have in common.
struct Common
{
    RunConfig config;
    ScalingFix fix = ScalingFix::BatchPerTower;
    std::int64_t batch = 0; ///< of one tower or of all, as fixed

    [[nodiscard]] RunConfig withTowers(int towers) const
    {
        RunConfig own = config;
        own.towers = towers;
        own.batchPerTower =
            fix == ScalingFix::GlobalBatch ? splitGlobalBatch(batch, towers) : batch;
        return own;
    }
};

Common commonOf(const RunConfig& config, const ScalingSettings& settings)
{
    const int most = std::max(1, std::ranges::max(settings.plan.towers));
    Common common{measuredConfig(config, most), settings.fix, 0};
    common.batch = *common.config.batchPerTower;
    if (settings.fix == ScalingFix::GlobalBatch) {
        common.batch = config.globalBatch.value_or(common.batch * most);
    }
    return common;
}

/// Keeps only the numbers of towers that the batch can be split among; returns the others.
std::vector<int> leaveOut(const Common& common, std::vector<int>& towers)
{
    std::vector<int> leftOut;
    if (common.fix == ScalingFix::GlobalBatch) {
        const auto fits = [&](int number) { return number < 1 || common.batch % number == 0; };
        std::ranges::remove_copy_if(towers, std::back_inserter(leftOut), fits);
        std::erase_if(towers, std::not_fn(fits));
        if (!leftOut.empty()
            && std::ranges::none_of(towers, [](int number) { return number > 1; })) {
            static_cast<void>(common.withTowers(leftOut.front())); // says which batch would do
        }
    }
    return leftOut;
}

bool sharesDevices(const TrainingSession& session)
{
    const auto places = isAccelerated(session) ? session.plan().devices.devices.size()
                                               : static_cast<std::size_t>(ThreadTeam::processors());
    return static_cast<std::size_t>(session.stepper().shape().towers) > places;
}

/// Real trainings. Remembers how the one before computes its layers, so that nothing is chosen
/// twice.
ScalingTrial trainingsOf(const Common& common)
{
    const std::shared_ptr<const Dataset> examples = openBenchExamples(common.config);
    return [&common, examples, algorithms = std::string()](
               int towers, double seconds, const BenchProgress& progress) mutable {
        RunConfig config = common.withTowers(towers);
        if (common.fix == ScalingFix::BatchPerTower) { // towers of one size compute alike
            config.algorithms = algorithms;
        }
        TrainingSession session(
            config, *examples, [&progress] { return !progress || progress(0.0); });
        algorithms = session.plan().config.algorithms;
        const BenchSpan span{seconds, progress};
        warmUp(session, span);
        std::vector<ScalingPhases> steps; // of an hour on a GPU there are millions
        makeSteps(
            session, span, [&](const StepRecord& record) { steps.push_back(phasesOf(record)); });
        const auto count = std::ssize(steps);
        return ScalingTurn{
            session.stepper().shape().globalBatch(), count, sharesDevices(session),
            meanPhases(std::move(steps), isAccelerated(session))};
    };
}

} // namespace

std::string_view toString(ScalingFix fix)
{
    return kFixes.of(fix);
}

ScalingFix scalingFixByName(std::string_view name)
{
    return kFixes.named(name, "fix is '{}': give per-tower or global");
}

RunConfig measuredConfig(const RunConfig& config, int towers)
{
    config.validate();
    RunConfig measured = withBenchExamples(config);
    measured.batchPerTower = config.towerShape().batchPerTower;
    measured.globalBatch.reset();
    measured.evaluateTowers = 0;
    measured.experiment = {}; // would measure something else
    if (config.threadsPerTower.isOpen()) {
        measured.threadsPerTower = {std::max(1, ThreadTeam::processors() / towers)};
    }
    return measured;
}

std::vector<int> usefulTowers(const std::string& device)
{
    const bool isOnHost = describeDevice(device).name == kHost;
    const int places = isOnHost ? std::min(kMostUseful, ThreadTeam::processors()) : availableGpus();
    std::vector<int> towers(static_cast<std::size_t>(std::max(2, places)));
    std::iota(towers.begin(), towers.end(), 1);
    return towers;
}

ScalingReport runScaling(
    const RunConfig& config, const ScalingSettings& settings, const ScalingWatcher& watcher)
{
    ScalingSettings chosen = settings;
    if (chosen.plan.towers.empty()) {
        chosen.plan.towers = usefulTowers(config.device);
    }
    const Common common = commonOf(config, chosen);
    ScalingReport report;
    report.leftOut = leaveOut(common, chosen.plan.towers);
    report.lines = measureScaling(chosen.plan, trainingsOf(common), watcher);
    report.model = makeNetwork(config.model).name;
    report.device = describeDevice(config.device).name;
    report.precision = config.precision;
    report.fix = common.fix;
    report.batch = common.batch;
    if (isHost(config)) {
        report.processors = ThreadTeam::processors();
        report.threadsPerTower = common.config.threadsPerTower.number;
    }
    report.seconds = chosen.plan.seconds;
    report.serialShare = serialShare(report.lines);
    return report;
}

} // namespace lockstep
