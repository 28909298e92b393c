// SPDX-License-Identifier: Apache-2.0
#include "session/estimate/measure_costs.h"

#include "base/clock.h"
#include "base/thread_team.h"
#include "dataset/formats/catalog.h"
#include "device/registry/device_registry.h"
#include "metrics/median.h"
#include "network/cost.h"
#include "session/bench/bench_steps.h"
#include "session/config/run_data.h"
#include "session/config/training_phases.h"
#include "session/estimate/other_programs.h"
#include "session/estimate/run_cost_meter.h"
#include "session/estimate/stand_in_dataset.h"
#include "session/evaluation/evaluation.h"
#include "session/events/event_recorder.h"
#include "session/training/tower_memory.h"
#include "session/training/training_session.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace lockstep {
namespace {

constexpr double kSeconds = 0.25; ///< of timed steps
/// Where other programs are in the way: they come and go.
constexpr double kMoreSeconds = 2.0;
/// Nothing is learnt, so no number can grow beyond all bounds.
constexpr double kRate = 1e-9;
/// More than any measurement makes, so that none is the last of its phase.
constexpr std::int64_t kSteps = 1'000'000;
/// Of one step and processor: a second or two on what is slow today.
constexpr double kMostFlop = 4e10;
/// Of the machine's memory, beside what else is at work there.
constexpr double kMostMemory = 0.5;
/// For each of the splits; then it is done without them.
constexpr double kMostSecondsOfData = 5.0;

/// What is trained and tested on, and what the configuration then says of it.
struct Data
{
    RunConfig config;
    std::unique_ptr<Dataset> training;
    std::unique_ptr<Dataset> test;
    // 0: not known.
    std::int64_t epochExamples = 0;
    std::int64_t testExamples = 0;
    std::int64_t bytesElsewhere = 0; ///< that a run's data take, and these don't
};

/// Null where they aren't there, can't be used, or take too long to open.
std::unique_ptr<Dataset> openSoon(
    const RunConfig& config, Split split, const std::function<bool()>& mayGoOn)
{
    const Stopwatch watch;
    try {
        return openDataset(datasetOf(config), split, [&](double /*share*/) {
            return mayGoOn() && watch.seconds() < kMostSecondsOfData;
        });
    } catch (const Error&) {
        if (!mayGoOn()) {
            throw;
        }
        return nullptr;
    }
}

/// Those of the run, where they are there; else others of the same shape.
Data openData(RunConfig config, const NetworkSpec& network, const std::function<bool()>& mayGoOn)
{
    Data data;
    data.training = openSoon(config, Split::Train, mayGoOn);
    data.test = data.training ? openSoon(config, Split::Test, mayGoOn) : nullptr;
    if (data.test) {
        data.epochExamples = epochExamples(config, *data.training);
        data.testExamples = data.test->size();
    } else {
        if (config.dataset == "cifar10") {        // which is always the same
            constexpr std::int64_t kBytes = 3073; // of an example
            data.epochExamples = 50'000;
            data.testExamples = 10'000;
            data.bytesElsewhere = kBytes * (data.epochExamples + data.testExamples);
        }
        config.dataset = network.maskShape ? "synthetic_defects" : "synthetic";
        config.datasetPath.clear();
        config.masked.sampling = "shuffled"; // any number of towers and examples will do
        data.training = openStandIn(
            network, std::max<std::int64_t>(1000, 4 * config.towerShape().globalBatch()));
        data.test = openStandIn(network, std::max<std::int64_t>(1000, data.testExamples));
    }
    data.config = std::move(config);
    return data;
}

/// What is decided before anything is opened.
RunConfig planned(RunConfig config)
{
    config.validate();
    config = withAllPhases(std::move(config));
    config.takeUsualPhases();
    config.initialWeights = {};
    config.learningRate = {};
    config.learningRate.initial = kRate;
    config.threadsPerTower = {config.towerShape().threadsPerTower};
    return config;
}

double plannedBytes(const RunConfig& config)
{
    double bytes = 0.0;
    for (const DeviceNeed& need : planRunMemory(config)) {
        bytes += static_cast<double>(need.bytes);
    }
    return bytes;
}

/// The configuration with fewer towers, as many as compute at a time, and fewer rows, where all of
/// them take too long or too much.
RunConfig reduced(const RunConfig& full, const NetworkSpec& network, double bytes)
{
    const DeviceInfo device = describeDevice(full.device);
    const TowerShape shape = full.towerShape();
    const int processors = ThreadTeam::processors();
    const double work =
        static_cast<double>(totalCost(network).trainingFlop() * shape.globalBatch());
    const double share = std::max(
        work / (kMostFlop * processors),
        bytes / (kMostMemory * static_cast<double>(std::max<std::int64_t>(1, device.memoryBytes))));
    if (device.name != "cpu" || share <= 1.0) {
        return full;
    }
    RunConfig config = full;
    config.towers = std::min(full.towers, std::max(1, processors / shape.threadsPerTower));
    const double left = share * config.towers / full.towers;
    config.accumulatePasses = 1;
    config.globalBatch.reset();
    config.batchPerTower = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(static_cast<double>(shape.batchPerTower) / left),
        std::min<std::int64_t>(shape.threadsPerTower, shape.rowsPerPass()), shape.rowsPerPass());
    // An even number stays one: for input.mixup, and for dataset.sampling in equal halves.
    const std::int64_t rows = *config.batchPerTower;
    const std::int64_t all = config.towers * rows;
    const bool isOdd = shape.globalBatch() % 2 == 0 && all % 2 != 0 && all > 1;
    if (isOdd || (full.distortion.mixup > 0.0 && rows % 2 != 0)) {
        config.batchPerTower = std::max<std::int64_t>(2, rows - 1);
    }
    config.evaluateTowers = std::min(full.evaluateTowers, config.towers);
    config.experiment = {}; // its tower may not be there
    return config;
}

/// Times the steps of one phase; `rows` and `towers`: how many times as many a step has.
double secondsOfSteps(
    TrainingSession& session, double rows, double towers, const OtherPrograms& others,
    const std::function<bool()>& mayGoOn)
{
    const BenchProgress progress = [&](double /*share*/) { return mayGoOn(); };
    std::vector<double> seconds;
    const auto onStep = [&](const StepRecord& step) {
        const double compute = step.computeSeconds < 0.0 ? step.stepSeconds : step.computeSeconds;
        seconds.push_back(
            step.stepSeconds + (rows - 1.0) * compute
            + (towers - 1.0) * std::max(0.0, step.averagingSeconds));
    };
    const BenchSpan span{kSeconds, progress};
    warmUp(session, span);
    makeSteps(session, span, onStep);
    const bool isDisturbed = others.areInTheWay();
    if (isDisturbed) {
        makeSteps(session, {kMoreSeconds, progress}, onStep);
    }
    while (session.stepper().stepsAhead() > 0) {
        session.step();
    }
    return isDisturbed ? std::accumulate(seconds.begin(), seconds.end(), 0.0)
                             / static_cast<double>(seconds.size())
                       : median(std::move(seconds));
}

/// Of raw weights and of moving averages, each of all test examples; negative: nobody knows how
/// many there are, and only the memory for some was taken.
double secondsOfEvaluation(
    const TrainingSession& session, const Data& data, const OtherPrograms& others,
    const std::function<bool()>& mayGoOn)
{
    const RunConfig& config = session.plan().config;
    const Stepper& stepper = session.stepper();
    const Device& device = session.plan().devices.first();
    const DistortionSettings distortion = distortionFor(config, session.plan().network);
    Evaluation evaluation(
        device, session.plan().network, stepper.arena().layout(), *data.test, distortion);
    evaluation.computeAs(precisionByName(config.precision), config.layerAlgorithms());
    ThreadTeam& threads = stepper.threads();
    const int workers = config.evaluateTowers == 0
                            ? threads.size()
                            : config.evaluateTowers * config.threadsPerTower.number;
    const double wanted = others.areInTheWay() ? kMoreSeconds : kSeconds;
    const Stopwatch watch;
    double begun = 0.0; ///< after the first chunk, which is more than the others
    double seconds = 0.0;
    std::int64_t chunks = 0;
    try {
        static_cast<void>(
            evaluation.run(threads, workers, stepper.arena().weightsView(), [&](double /*share*/) {
                seconds = watch.seconds();
                begun = chunks == 0 ? seconds : begun;
                ++chunks;
                return mayGoOn() && data.testExamples > 0
                       && (chunks == 1 || seconds - begun < wanted);
            }));
        return data.testExamples > 0 ? 2.0 * watch.seconds() : -1.0; // of all of them
    } catch (const Error& error) {
        if (error.code() != ErrorCode::Cancelled || !mayGoOn()) {
            throw;
        }
    }
    if (data.testExamples == 0) {
        return -1.0;
    }
    // On processors it was told by one of those that score as many.
    const std::int64_t atOnce = evaluationChunks(session.plan().network, distortion).globalBatch
                                * (device.worksOnHost() ? std::min(workers, threads.size()) : 1);
    const double rest = static_cast<double>(data.testExamples) / static_cast<double>(atOnce) - 1.0;
    return 2.0 * (begun + rest * (seconds - begun) / static_cast<double>(chunks - 1));
}

/// The rest of what a run holds of its state: it is captured, written with what is noted besides,
/// and read back; beside that an EventRecorder may have weights and gradients of a step, and have
/// some rows pass once more.
void holdState(const TrainingSession& session, std::int64_t probedRows)
{
    const Checkpoint captured = session.capture();
    const std::array held{captured, captured};
    static_cast<void>(held);
    if (probedRows == 0) {
        return;
    }
    const ParameterArena& arena = session.stepper().arena();
    const auto parameters = static_cast<int>(session.plan().network.parameters.size());
    std::vector<std::vector<float>> snapshot;
    for (int i = 0; i < 2 * parameters; ++i) {
        snapshot.push_back(arena.read(arena.weights(), i % parameters));
    }
    const NetworkSpec& network = session.plan().network;
    const auto count = static_cast<std::size_t>(probedRows);
    Batch batch;
    batch.examples = probedRows;
    batch.shape = network.inputShape();
    batch.images.resize(count * static_cast<std::size_t>(batch.shape.elements()));
    batch.labels.resize(count);
    if (network.maskShape) {
        batch.masks.resize(count * static_cast<std::size_t>(network.maskShape->elements()));
    }
    static_cast<void>(ActivationProbe(network, probedRows).run(batch));
}

} // namespace

RunCosts measureRunCosts(const RunConfig& given, const std::function<bool()>& mayGoOn)
{
    const RunConfig full = planned(given);
    const NetworkSpec network = makeNetwork(full.model);
    const double bytes = plannedBytes(full);
    Stopwatch starting;
    const Data data = openData(reduced(full, network, bytes), network, mayGoOn);
    const double dataSeconds = starting.seconds();
    const RunConfig& tried = data.config;
    const auto towers = static_cast<double>(full.towers) / tried.towers;
    const double rows = static_cast<double>(full.towerShape().globalBatch())
                        / static_cast<double>(tried.towerShape().globalBatch());
    const OtherPrograms others;
    RunCosts costs;
    for (const RunPhase& phase : costPhases(full)) {
        RunConfig config = tried;
        config.steps = kSteps;
        config.phases = {{phase.objective, kSteps, std::nullopt, phase.frozen}};
        starting.restart();
        TrainingSession session(config, *data.training, mayGoOn);
        if (costs.stepSeconds.empty()) {
            costs.startSeconds = dataSeconds + starting.seconds();
        }
        costs.stepSeconds.push_back(secondsOfSteps(session, rows, towers, others, mayGoOn));
        costs.isDisturbed = costs.isDisturbed || others.areInTheWay();
        if (costs.stepSeconds.size() == 1) {
            holdState(session, full.eventsEverySteps > 0 ? probedRows(full.towerShape()) : 0);
            costs.evaluationSeconds = secondsOfEvaluation(session, data, others, mayGoOn);
        }
    }
    const double more = rows > 1.0 ? std::max(0.0, bytes - plannedBytes(tried)) : 0.0;
    costs.bytes = peakProcessBytes() + static_cast<std::size_t>(more)
                  + static_cast<std::size_t>(data.bytesElsewhere);
    costs.epochExamples = data.epochExamples;
    return costs;
}

} // namespace lockstep
