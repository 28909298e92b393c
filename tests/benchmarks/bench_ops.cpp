// SPDX-License-Identifier: Apache-2.0
// What cifar10 costs on one thread, forward and with backward, single layers of segdecnet and of
// inception_v3, and the passes over whole arenas.
// FLOP/s counts the arithmetic of network/cost.h.
#include "device/cpu/cpu_device.h"
#include "device/parameter_arena.h"
#include "network/cost.h"
#include "network/models/catalog.h"
#include "network/models/segdecnet.h"
#include "support/random_network.h"
#include "tower/tower_team.h"

#include <benchmark/benchmark.h>

#include <utility>

namespace lockstep {
namespace {

void cifar10Pass(benchmark::State& state, bool isTraining, Precision precision)
{
    const cpu::CpuDevice device;
    if (const auto lack = device.info().lacks.find(precision); lack != device.info().lacks.end()) {
        state.SkipWithError(lack->second.c_str());
        return;
    }
    device.enterThread(1);
    const NetworkSpec network = cifar10Network();
    const ParameterArena arena(device, network, precision);
    arena.initialize(network, 1);
    test::Random random(1);
    const auto examples = test::randomExamples(network, state.range(0), random);
    Replica replica(device, network, arena.layout(), {state.range(0), isTraining, 1, precision});
    const double lossScale = 1.0 / static_cast<double>(state.range(0));
    while (state.KeepRunning()) {
        replica.forward(arena.weightsView(), {examples.images, examples.labels});
        if (isTraining) {
            replica.backward(arena.weightsView(), {examples.images, examples.labels}, lossScale);
        }
    }
    const LayerCost cost = totalCost(network);
    const std::int64_t flop = isTraining ? cost.trainingFlop() : cost.fpropFlop;
    state.SetItemsProcessed(state.iterations() * state.range(0));
    state.counters["FLOP/s"] = benchmark::Counter(
        static_cast<double>(flop * state.range(0)), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK_CAPTURE(cifar10Pass, training, true, Precision::Float32)
    ->Arg(32)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cifar10Pass, training_bfloat16, true, Precision::Bfloat16)
    ->Arg(32)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cifar10Pass, inference, false, Precision::Float32)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(cifar10Pass, inference_bfloat16, false, Precision::Bfloat16)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);

/// One layer of a training pass, forward and backward, behind a 1 x 1 convolution that makes its
/// source: as segdecnet has it at a quarter of its size, or inception_v3, batch 1, on so many
/// threads.
void layerPass(
    benchmark::State& state, const Shape& src, const LayerSpec& layer, Precision precision)
{
    const cpu::CpuDevice device;
    const auto threads = static_cast<int>(state.range(0));
    device.enterThread(threads);
    const NetworkSpec network = test::chain(
        {src.height, src.width, 3},
        {test::convolution(src.channels, {1, 1}), layer, GlobalPool{Reduction::Average}});
    const ParameterArena arena(device, network, precision);
    arena.initialize(network, 1);
    test::Random random(1);
    const auto examples = test::randomExamples(network, 1, random);
    Replica replica(device, network, arena.layout(), {1, true, threads, precision});
    replica.timeNodes();
    const auto pass = [&] {
        replica.forward(arena.weightsView(), {examples.images, examples.labels});
        replica.backward(arena.weightsView(), {examples.images, examples.labels}, 1.0);
        const NodeSeconds& seconds = replica.nodeSeconds()[2];
        return seconds.forward + seconds.backward;
    };
    double before = pass();
    while (state.KeepRunning()) {
        const double now = pass();
        state.SetIterationTime(now - std::exchange(before, now));
    }
    const std::int64_t flop = layerCosts(network)[2].trainingFlop();
    state.counters["FLOP/s"] = benchmark::Counter(
        static_cast<double>(flop), benchmark::Counter::kIsIterationInvariantRate);
    const std::int64_t values = src.elements();
    state.counters["values/s"] = benchmark::Counter(
        static_cast<double>(values), benchmark::Counter::kIsIterationInvariantRate);
}

Conv2d plainConvolution(std::int64_t channels, std::int64_t size)
{
    Conv2d conv = test::convolution(channels, {size, size});
    conv.hasBias = false;
    return conv;
}

Normalization perImage()
{
    Normalization norm;
    norm.mode = NormalizationMode::PerImage;
    norm.activation = Activation::Relu;
    return norm;
}

void layers(benchmark::internal::Benchmark* rows)
{
    rows->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kMillisecond)->UseManualTime();
}
constexpr Precision kFloat = Precision::Float32;
constexpr Precision kHalf = Precision::Bfloat16;
BENCHMARK_CAPTURE(layerPass, conv_5x5, Shape{88, 32, 64}, plainConvolution(64, 5), kFloat)
    ->Apply(layers);
BENCHMARK_CAPTURE(layerPass, conv_15x15, Shape{44, 16, 64}, plainConvolution(1024, 15), kFloat)
    ->Apply(layers);
BENCHMARK_CAPTURE(
    layerPass, conv_15x15_bfloat16, Shape{44, 16, 64}, plainConvolution(1024, 15), kHalf)
    ->Apply(layers);
BENCHMARK_CAPTURE(layerPass, conv_1x1_to_1, Shape{44, 16, 1024}, plainConvolution(1, 1), kFloat)
    ->Apply(layers);
BENCHMARK_CAPTURE(layerPass, normalization, Shape{352, 128, 32}, perImage(), kFloat)->Apply(layers);
BENCHMARK_CAPTURE(layerPass, normalization_bfloat16, Shape{352, 128, 32}, perImage(), kHalf)
    ->Apply(layers);
BENCHMARK_CAPTURE(
    layerPass, elementwise, Shape{352, 128, 32}, Elementwise{Activation::Sigmoid}, kFloat)
    ->Apply(layers);
BENCHMARK_CAPTURE(layerPass, concat, Shape{44, 16, 1024}, Concat{}, kFloat)->Apply(layers);
BENCHMARK_CAPTURE(layerPass, max_pool, Shape{352, 128, 32}, MaxPool{{2, 2}, {2, 2}}, kFloat)
    ->Apply(layers);
BENCHMARK_CAPTURE(layerPass, average_pool, Shape{35, 35, 288}, AveragePool{{3, 3}, {1, 1}}, kFloat)
    ->Apply(layers);
BENCHMARK_CAPTURE(
    layerPass, average_pool_bfloat16, Shape{35, 35, 288}, AveragePool{{3, 3}, {1, 1}}, kHalf)
    ->Apply(layers);
BENCHMARK_CAPTURE(
    layerPass, average_pool_of_all, Shape{8, 8, 2048}, AveragePool{{8, 8}, {1, 1}, Padding::Valid},
    kFloat)
    ->Apply(layers);
BENCHMARK_CAPTURE(layerPass, dropout, Shape{8, 8, 2048}, Dropout{0.8}, kFloat)->Apply(layers);
BENCHMARK_CAPTURE(layerPass, dropout_bfloat16, Shape{8, 8, 2048}, Dropout{0.8}, kHalf)
    ->Apply(layers);
BENCHMARK_CAPTURE(layerPass, global_pool, Shape{44, 16, 32}, GlobalPool{Reduction::Average}, kFloat)
    ->Apply(layers);

/// Forward and backward of segdecnet's towers in one of its phases, one image a tower.
void segdecnetStep(benchmark::State& state, const char* phase, Precision precision)
{
    const cpu::CpuDevice device;
    SegdecnetSettings settings;
    settings.inputHeight = state.range(0);
    settings.inputWidth = state.range(1);
    const NetworkSpec whole = segdecnetNetwork(settings);
    const NetworkSpec network = whole.withObjectives(objectivesNamed(whole, phase), {});
    const TowerShape shape{static_cast<int>(state.range(2)), static_cast<int>(state.range(3)), 1};
    const ParameterArena arena(device, network, precision);
    arena.initialize(network, 1);
    TowerTeam team(device, network, arena.layout(), shape, {.precision = precision});
    test::Random random(1);
    test::Examples examples = test::randomExamples(network, shape.towers, random);
    Batch batch;
    batch.examples = shape.towers;
    batch.shape = network.inputShape();
    batch.images = std::move(examples.images);
    batch.labels = std::move(examples.labels);
    batch.maskShape = network.maskShape;
    batch.masks = std::move(examples.masks);
    while (state.KeepRunning()) {
        team.forwardBackward(batch, arena.weightsView());
    }
    const LayerCost cost = totalCost(network);
    state.counters["FLOP/s"] = benchmark::Counter(
        static_cast<double>(cost.trainingFlop() * shape.towers),
        benchmark::Counter::kIsIterationInvariantRate);
    state.counters["GiB"] = static_cast<double>(team.bytes()) / (1 << 30);
}

void segdecnetSizes(benchmark::internal::Benchmark* rows)
{
    for (const auto& [height, width] :
         std::vector<std::pair<std::int64_t, std::int64_t>>{{384, 128}, {704, 256}, {1408, 512}}) {
        rows->Args({height, width, 1, 2})->Args({height, width, 2, 1});
    }
    rows->ArgNames({"height", "width", "towers", "threads"});
    rows->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK_CAPTURE(segdecnetStep, segmentation, "segmentation", kFloat)->Apply(segdecnetSizes);
BENCHMARK_CAPTURE(segdecnetStep, segmentation_bfloat16, "segmentation", kHalf)
    ->Apply(segdecnetSizes);
BENCHMARK_CAPTURE(segdecnetStep, decision, "decision", kFloat)->Apply(segdecnetSizes);
BENCHMARK_CAPTURE(segdecnetStep, decision_bfloat16, "decision", kHalf)->Apply(segdecnetSizes);

/// Averages the gradients of cifar10 over lanes.
void averageArena(benchmark::State& state)
{
    const cpu::CpuDevice device;
    const std::int64_t elements = ParameterLayout(cifar10Network()).elements;
    const auto count = static_cast<std::size_t>(elements);
    const std::vector<std::vector<float>> gradients(
        static_cast<std::size_t>(state.range(0)), std::vector<float>(count, 1.0F));
    std::vector<WeightedGradient> lanes;
    lanes.reserve(gradients.size());
    for (const auto& gradient : gradients) {
        lanes.push_back({gradient.data(), 1.0F / static_cast<float>(gradients.size())});
    }
    std::vector<float> average(count);
    while (state.KeepRunning()) {
        benchmark::DoNotOptimize(device.average(lanes, 0, elements, average.data()));
        benchmark::ClobberMemory();
    }
    const auto arrays = state.range(0) + 1;
    state.SetBytesProcessed(
        state.iterations() * arrays * elements * static_cast<std::int64_t>(sizeof(float)));
}
BENCHMARK(averageArena)->Arg(1)->Arg(2)->Arg(8)->ArgName("lanes")->Unit(benchmark::kMicrosecond);

/// Moves the weights of cifar10 and their moving average: reads three arrays, writes two, and half
/// of one more where bfloat16 copies of the weights are kept.
void updateArena(benchmark::State& state)
{
    const cpu::CpuDevice device;
    const std::int64_t elements = ParameterLayout(cifar10Network()).elements;
    const auto count = static_cast<std::size_t>(elements);
    const std::vector<float> gradient(count, 1e-3F);
    std::vector<float> weights(count, 1.0F);
    std::vector<float> average(count, 1.0F);
    std::vector<std::byte> copies(2 * count);
    const bool keepsCopies = state.range(0) == 1;
    const UpdateArrays arrays{
        gradient.data(), weights.data(), average.data(), keepsCopies ? copies.data() : nullptr};
    while (state.KeepRunning()) {
        device.update({1e-6F, 0.004F, 1e-4F}, elements, arrays);
        benchmark::ClobberMemory();
    }
    const std::int64_t bytesOfOne = 5 * 4 + (keepsCopies ? 2 : 0);
    state.SetBytesProcessed(state.iterations() * bytesOfOne * elements);
}
BENCHMARK(updateArena)->Arg(0)->Arg(1)->ArgName("bfloat16")->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace lockstep

BENCHMARK_MAIN();
