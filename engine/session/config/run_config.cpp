// SPDX-License-Identifier: Apache-2.0
#include "session/config/run_config.h"

#include "base/error.h"
#include "base/thread_team.h"
#include "dataset/formats/catalog.h"
#include "device/device.h"
#include "device/direct_algorithm.h"
#include "device/step_features.h"
#include "input/batch_arithmetic.h"
#include "metrics/evaluation_record.h"
#include "session/config/best_checkpoint.h"
#include "storage/rows/run_branch.h"
#include "tower/layer_algorithms.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lockstep {
namespace {

constexpr std::string_view kFastestConvolution = "auto";

constexpr std::int64_t kDefaultBatchPerTower = 128;
/// More is always a slip of the finger, and would ask for absurd amounts of memory and threads.
constexpr int kMaxTowers = RunBranch::kMostTowers;
constexpr int kMaxThreads = 1024;

void checkRange(const char* key, double value, double low, double high)
{
    if (!(value >= low && value <= high)) {
        fail(ErrorCode::BadInput, "{} is {}, but must be between {} and {}", key, value, low, high);
    }
}

void checkNotNegative(const char* key, double value)
{
    if (!std::isfinite(value) || value < 0.0) {
        fail(ErrorCode::BadInput, "{} is {}, but must be a number of 0 or more", key, value);
    }
}

void checkAtLeast(const char* key, std::int64_t value, std::int64_t low)
{
    if (value < low) {
        fail(ErrorCode::BadInput, "{} is {}, but must be at least {}", key, value, low);
    }
}

/// A run has to be readable from its run.toml, and TOML's integers are signed.
void checkSeed(std::uint64_t seed)
{
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (seed > kMost) {
        fail(ErrorCode::BadInput, "seed is {}, but must be at most {}", seed, kMost);
    }
}

void checkBatch(const RunConfig& config)
{
    if (config.batchPerTower) {
        checkAtLeast("batch_per_tower", *config.batchPerTower, 1);
    }
    if (config.globalBatch) {
        checkAtLeast("global_batch", *config.globalBatch, 1);
        const std::int64_t perTower = splitGlobalBatch(*config.globalBatch, config.towers);
        if (config.batchPerTower && *config.batchPerTower != perTower) {
            fail(
                ErrorCode::BadInput,
                "batch_per_tower is {} and global_batch is {}, but {} towers × {} = {}; give one "
                "of the two",
                *config.batchPerTower, *config.globalBatch, config.towers, *config.batchPerTower,
                config.towers * *config.batchPerTower);
        }
    }
}

/// Passes of unlike sizes would each have to count by its rows.
void checkPasses(const RunConfig& config)
{
    checkAtLeast("accumulate_passes", config.accumulatePasses, 1);
    if (const std::int64_t batch = config.towerShape().batchPerTower;
        batch % config.accumulatePasses != 0) {
        fail(
            ErrorCode::BadInput,
            "accumulate_passes is {}, but the {} examples of a tower can't be split into so many "
            "equal passes",
            config.accumulatePasses, batch);
    }
}

void checkMixup(const RunConfig& config)
{
    checkNotNegative("input.mixup", config.distortion.mixup);
    if (const std::int64_t batch = config.towerShape().batchPerTower;
        config.distortion.mixup > 0.0 && batch % 2 != 0) {
        fail(
            ErrorCode::BadInput,
            "input.mixup is {}, which mixes the examples of a tower two by two, but a tower has {} "
            "in a step; give an even number",
            config.distortion.mixup, batch);
    }
}

void checkPatience(const RunConfig& config)
{
    checkAtLeast("stop.patience", config.stopPatience, 0);
    if (config.stopPatience > 0
        && (config.evaluateEverySteps == 0 || config.checkpointKeepBest == 0)) {
        fail(
            ErrorCode::BadInput,
            "stop.patience is {}, but {} is 0: the run would not know, or not keep, its best",
            config.stopPatience,
            config.evaluateEverySteps == 0 ? "evaluate.every_steps" : "checkpoint.keep_best");
    }
}

void checkExperiment(const RunConfig& config)
{
    constexpr double kMostDelay = 60'000.0;
    checkRange("experiment.delay_ms", config.experiment.delayMilliseconds, 0.0, kMostDelay);
    checkRange("experiment.delay_tower", config.experiment.delayTower, -1, config.towers - 1);
    config.experiment.validate(config.towers);
}

void checkAlerts(const AlertSettings& alerts)
{
    checkAtLeast("alerts.plateau_steps", alerts.plateauSteps, 0);
    checkNotNegative("alerts.stuck_seconds", alerts.stuckSeconds);
    checkRange("alerts.input_share", alerts.inputShare, 0.0, 1.0);
    checkAtLeast("alerts.disk_checkpoints", alerts.diskCheckpoints, 0);
    checkNotNegative("alerts.tower_loss", alerts.towerLoss);
    checkRange("alerts.tower_wait", alerts.towerWait, 0.0, 1.0);
}

} // namespace

void InitialWeightsConfig::validate() const
{
    if (weights != "auto" && weights != toString(WeightsKind::Average)
        && weights != toString(WeightsKind::Raw)) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.weights is '{}', but must be auto, average or raw", weights);
    }
    if (!isGiven() && !freshLayers.empty()) {
        fail(
            ErrorCode::BadInput,
            "initial_weights.fresh_layers names layers, but nothing says whose weights the others "
            "take: give initial_weights.checkpoint (--weights-from)");
    }
}

void RunConfig::validate() const
{
    checkRange("towers", towers, 1, kMaxTowers);
    checkRange("threads_per_tower", threadsPerTower.number, 0, kMaxThreads);
    checkBatch(*this);
    checkPasses(*this);
    checkAtLeast("steps", steps, 0);
    checkNotNegative("epochs", epochs);
    checkPhases(phases);
    checkSeed(seed);
    static_cast<void>(precisionByName(precision));
    static_cast<void>(parseAlgorithms(algorithms));
    if (convolution != kFastestConvolution && convolution != kDirectAlgorithm) {
        fail(
            ErrorCode::BadInput, "convolution is '{}', but must be {} or {}", convolution,
            kFastestConvolution, kDirectAlgorithm);
    }
    static_cast<void>(stepFeaturesWithout(gpuWithout));
    learningRate.validate();
    static_cast<void>(optimizer.settings());
    checkRange("moving_average.decay", movingAverageDecay, 0.0, 1.0);
    static_cast<void>(missingGradientByName(missingGradient));
    checkAtLeast("checkpoint.every_steps", checkpointEverySteps, 0);
    checkNotNegative("checkpoint.every_minutes", checkpointEveryMinutes);
    checkAtLeast("checkpoint.keep", checkpointKeep, 1);
    checkAtLeast("checkpoint.keep_best", checkpointKeepBest, 0);
    static_cast<void>(bestCheckpointByName(checkpointBestBy));
    checkAtLeast("events.every_steps", eventsEverySteps, 0);
    checkAtLeast("gradients.every_steps", gradientsEverySteps, 0);
    checkAtLeast("evaluate.every_steps", evaluateEverySteps, 0);
    checkPatience(*this);
    checkRange("evaluate.towers", evaluateTowers, 0, towers);
    checkRange("input.threads", inputThreads, 0, kMaxThreads);
    checkRange("input.prefetch_batches", inputPrefetchBatches, 1, kMaxThreads);
    checkExperiment(*this);
    checkAlerts(alerts);
    describeDataset(dataset);
    checkRange("input.erase", distortion.erase, 0.0, 1.0);
    checkMixup(*this);
    checkAtLeast("input.pad", distortion.pad, 0);
    split.validate();
    pixels.validate();
    masked.validate();
    encoded.validate();
    static_cast<void>(momentMergeByName(moments));
    initialWeights.validate();
}

std::map<std::string, std::string> RunConfig::layerAlgorithms() const
{
    auto all = parseAlgorithms(algorithms);
    if (const auto every = all.find(kEveryLayer); every != all.end()) {
        all[kEveryHostLayer] = every->second;
    }
    if (convolution == kDirectAlgorithm) {
        all[kEveryHostLayer] = kDirectAlgorithm;
    }
    return all;
}

TowerShape RunConfig::towerShape() const
{
    const int threads = threadsPerTower.isOpen() ? std::max(1, ThreadTeam::processors() / towers)
                                                 : threadsPerTower.number;
    const std::int64_t batch = globalBatch ? splitGlobalBatch(*globalBatch, towers)
                                           : batchPerTower.value_or(kDefaultBatchPerTower);
    return {towers, threads, batch, accumulatePasses};
}

void RunConfig::makePathsAbsolute()
{
    const auto absolute = [](const std::string& path) {
        return std::filesystem::absolute(path).lexically_normal().string();
    };
    if (!masked.foldsFile.empty()) {
        masked.foldsFile = std::filesystem::absolute(masked.foldsFile).string();
    }
    if (isModelFile(model.name)) {
        model.name = absolute(model.name);
    }
    if (initialWeights.isGiven()) {
        initialWeights.checkpoint = absolute(initialWeights.checkpoint);
    }
}

std::vector<PhaseSettings> RunConfig::trainedPhases() const
{
    return fittedPhases(phases, model.name, steps);
}

void RunConfig::takeUsualPhases()
{
    if (epochs == 0.0 && (!phases.empty() || !usualPhases(model.name).empty())) {
        phases = trainedPhases();
    }
}

void RunConfig::setSteps(std::int64_t wanted)
{
    steps = wanted;
    epochs = 0.0;
    phases = phases.empty() ? phases : trainedPhases();
}

void RunConfig::takeEpochs(std::int64_t examples)
{
    constexpr double kMost = 0x1p62;
    if (epochs > 0.0) {
        const auto batch = static_cast<double>(towerShape().globalBatch());
        const double wanted = std::ceil(epochs * static_cast<double>(examples) / batch);
        setSteps(static_cast<std::int64_t>(std::min(wanted, kMost)));
    }
}

int RunConfig::loaderThreads(const Device& first) const
{
    // As many for a tower as TensorFlow's Inception had: num_preprocess_threads.
    constexpr int kLoadersPerTower = 4;
    if (inputThreads > 0) {
        return inputThreads;
    }
    const int processors = ThreadTeam::processors();
    return first.worksOnHost() ? std::max(1, processors / 4)
                               : std::min(processors, kLoadersPerTower * towers);
}

} // namespace lockstep
