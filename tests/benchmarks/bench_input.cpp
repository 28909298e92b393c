// SPDX-License-Identifier: Apache-2.0
// What the input costs: the stages of one example, all of it, one epoch's order, one batch, a
// pipeline at full speed.
#include "dataset/formats/masked_images.h"
#include "input/batch_builder.h"
#include "input/input_pipeline.h"
#include "support/fake_dataset.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

namespace lockstep {
namespace {

constexpr std::int64_t kExamples = 10000;
constexpr Shape kCrop{24, 24, 3};

void drawExample(benchmark::State& state)
{
    std::uint32_t number = 0;
    while (state.KeepRunning()) {
        benchmark::DoNotOptimize(drawDistortion({}, {32, 32, 3}, 1, 0, number++));
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(drawExample);

// Every other crop is flipped.
void gatherExample(benchmark::State& state, PixelOrder order)
{
    const test::FakeDataset dataset(1, {32, 32, 3}, order);
    const bool isPlanar = order == PixelOrder::Planar;
    CropWindow window{dataset.example(0).pixels.data(), kCrop.height, kCrop.width, kCrop.channels};
    window.rowStride = isPlanar ? 32 : 32 * 3;
    window.planeStride = isPlanar ? 32 * 32 : 0;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(kCrop.elements()));
    while (state.KeepRunning()) {
        gatherCrop(window, bytes.data());
        window.isFlipped = !window.isFlipped;
        benchmark::DoNotOptimize(bytes.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(gatherExample, planar, PixelOrder::Planar);
BENCHMARK_CAPTURE(gatherExample, interleaved, PixelOrder::Interleaved);

void sumExample(benchmark::State& state)
{
    const test::FakeDataset dataset(1, kCrop);
    std::vector<ChannelSums> sums(static_cast<std::size_t>(kCrop.channels));
    while (state.KeepRunning()) {
        sumChannels(dataset.example(0).pixels, sums);
        benchmark::DoNotOptimize(sums.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(sumExample);

void mapExample(benchmark::State& state)
{
    const test::FakeDataset dataset(1, kCrop);
    const auto rowValues = static_cast<std::size_t>(kCrop.width * kCrop.channels);
    const std::vector<float> centers(rowValues, 128.0F);
    const std::vector<float> offsets(rowValues, 0.5F);
    std::vector<float> values(static_cast<std::size_t>(kCrop.elements()));
    while (state.KeepRunning()) {
        mapRows({centers, offsets, 0.01F}, dataset.example(0).pixels, values.data());
        benchmark::DoNotOptimize(values.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(mapExample);

void distortExample(benchmark::State& state, PixelOrder order, const DistortionSettings& settings)
{
    const test::FakeDataset dataset(100, {32, 32, 3}, order);
    const Shape image = dataset.info().imageShape;
    Distorter distorter(settings, image, order);
    std::vector<float> values(static_cast<std::size_t>(distorter.outputShape().elements()));
    std::uint32_t number = 0;
    while (state.KeepRunning()) {
        number = (number + 1) % 100;
        distorter.apply(
            dataset.example(number).pixels, drawDistortion(settings, image, 1, 0, number), values);
        benchmark::DoNotOptimize(values.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(distortExample, planar, PixelOrder::Planar, DistortionSettings{});
BENCHMARK_CAPTURE(distortExample, interleaved, PixelOrder::Interleaved, DistortionSettings{});
BENCHMARK_CAPTURE(
    distortExample, evaluation, PixelOrder::Planar, DistortionSettings{}.forEvaluation());

void shuffleEpoch(benchmark::State& state)
{
    const Sampler sampler(state.range(0), ExampleOrder::Shuffled, 1);
    std::vector<Visit> visits(1);
    std::int64_t epoch = 0;
    while (state.KeepRunning()) {
        sampler.visit(epoch++ * state.range(0), visits);
        benchmark::DoNotOptimize(visits.data());
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(shuffleEpoch)->Arg(50000)->Arg(1281167)->Unit(benchmark::kMillisecond);

void buildBatch(benchmark::State& state)
{
    const test::FakeDataset dataset(kExamples);
    PipelineSettings settings;
    settings.globalBatch = state.range(0);
    const RowOrder order(dataset, settings);
    BatchBuilder builder(dataset, settings, order);
    Batch batch;
    std::int64_t index = 0;
    while (state.KeepRunning()) {
        builder.build(index++, batch);
        benchmark::DoNotOptimize(batch.images.data());
    }
    state.SetItemsProcessed(state.iterations() * settings.globalBatch);
}
BENCHMARK(buildBatch)->Arg(128)->Arg(256)->Unit(benchmark::kMicrosecond);

void pipeline(benchmark::State& state)
{
    const test::FakeDataset dataset(kExamples);
    PipelineSettings settings;
    settings.globalBatch = 256;
    settings.threads = static_cast<int>(state.range(0));
    InputPipeline input(dataset, settings);
    while (state.KeepRunning()) {
        const auto lease = input.next();
        benchmark::DoNotOptimize(lease.batch->images.data());
    }
    state.SetItemsProcessed(state.iterations() * settings.globalBatch);
}
BENCHMARK(pipeline)->Arg(1)->Arg(2)->Arg(8)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// One clean and one defective picture of the size of KolektorSDD's.
const MaskedImages& surfaces()
{
    static const MaskedImages images("surfaces", Split::Train, [] {
        constexpr std::ptrdiff_t kWidth = 500;
        constexpr std::size_t kPixels = std::size_t{1260} * kWidth;
        std::vector<MaskedImage> pictures(2);
        for (MaskedImage& picture : pictures) {
            picture.image = {1260, kWidth, std::vector<std::uint8_t>(kPixels, 120)};
        }
        pictures.back().mask.resize(kPixels);
        std::fill_n(pictures.back().mask.begin() + 600 * kWidth, 5000, std::uint8_t{1});
        return pictures;
    }());
    return images;
}

// Resized to what SegDecNet reads; of the two the second has a mask to pool.
void maskedExample(benchmark::State& state)
{
    const Shape input{1408, 512, 1};
    MaskedInput masked({}, input, surfaces().info());
    std::vector<float> image(static_cast<std::size_t>(input.elements()));
    std::vector<float> mask(static_cast<std::size_t>(masked.maskShape().elements()));
    MaskedInput::Row row{image, mask};
    while (state.KeepRunning()) {
        masked.apply(surfaces().example(state.range(0)), {}, row);
        benchmark::DoNotOptimize(image.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(maskedExample)->Arg(0)->Arg(1)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace lockstep

BENCHMARK_MAIN();
