// SPDX-License-Identifier: Apache-2.0
// What photographs cost on their way into a batch; peers/pillow_photos.py compares it with Pillow.
//
//     bench_photos draws FOLDER                      what befalls each image, a line of JSON each
//     bench_photos images FOLDER SECONDS             one thread, one image after another
//     bench_photos pipeline FOLDER SECONDS THREADS   batches of 32 from the whole pipeline
//
// FOLDER is an image_folder. The last two print images, seconds and seconds of processors.
#include "base/clock.h"
#include "dataset/formats/image_folder.h"
#include "input/input_pipeline.h"
#include "input/photo/photo_input.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>

namespace lockstep {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr Shape kInput{299, 299, 3};

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void printDraws(const EncodedDataset& dataset)
{
    constexpr std::array kMethods{"bilinear", "nearest", "bicubic", "area"};
    EncodedImage image;
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        dataset.read(i, image);
        const std::string name = dataset.fullName(i);
        const Visit visit{0, static_cast<std::uint32_t>(i)};
        const PhotoDistortion drawn =
            drawPhotoDistortion({}, readImageSize(image.file, name), image.boxes, kSeed, visit);
        const CropBox& crop = drawn.crop;
        const ColourChange& colours = drawn.colours;
        fmt::print(
            R"({{"file": "{}", "box": [{}, {}, {}, {}], "method": "{}", "flipped": {}, )"
            R"("contrast_first": {}, "brightness": {}, "saturation": {}, "hue": {}, "contrast": {}}})"
            "\n",
            name, crop.column, crop.row, crop.column + crop.width, crop.row + crop.height,
            kMethods.at(static_cast<std::size_t>(drawn.method)), drawn.isFlipped,
            colours.order == ColourOrder::ContrastFirst, colours.brightness, colours.saturation,
            colours.hue, colours.contrast);
    }
}

void printResult(std::int64_t images, double seconds, double processorSeconds)
{
    fmt::print("{} {:.6f} {:.6f}\n", images, seconds, processorSeconds);
}

/// Whole rounds through the data set, so that every measurement does the same work.
void timeImages(const EncodedDataset& dataset, double seconds)
{
    PhotoInput input({}, kInput, dataset);
    std::vector<float> row(static_cast<std::size_t>(kInput.elements()));
    std::int64_t images = 0;
    const auto start = std::chrono::steady_clock::now();
    const double before = threadProcessorSeconds();
    while (secondsSince(start) < seconds) {
        for (std::int64_t i = 0; i < dataset.size(); ++i, ++images) {
            input.apply(kSeed, {0, static_cast<std::uint32_t>(i)}, row);
        }
    }
    printResult(images, secondsSince(start), threadProcessorSeconds() - before);
}

void timePipeline(const EncodedDataset& dataset, double seconds, int threads)
{
    PipelineSettings settings;
    settings.globalBatch = 32;
    settings.threads = threads;
    settings.seed = kSeed;
    settings.distortion.cropHeight = kInput.height;
    settings.distortion.cropWidth = kInput.width;
    settings.distortion.photo.emplace();
    InputPipeline pipeline(dataset, settings);
    std::int64_t images = 0;
    const auto start = std::chrono::steady_clock::now();
    while (secondsSince(start) < seconds) {
        images += pipeline.next().batch->examples;
    }
    printResult(images, secondsSince(start), pipeline.workSeconds());
}

int run(std::span<char*> arguments)
{
    const std::string mode = arguments.size() > 2 ? arguments[1] : "";
    const auto dataset = mode.empty() ? nullptr : openImageFolder(arguments[2], Split::Train, {});
    if (mode == "draws" && arguments.size() == 3) {
        printDraws(*dataset);
    } else if (mode == "images" && arguments.size() == 4) {
        timeImages(*dataset, std::stod(arguments[3]));
    } else if (mode == "pipeline" && arguments.size() == 5) {
        timePipeline(*dataset, std::stod(arguments[3]), std::stoi(arguments[4]));
    } else {
        fmt::print(
            stderr, "usage: bench_photos draws FOLDER | images FOLDER SECONDS | "
                    "pipeline FOLDER SECONDS THREADS\n");
        return 2;
    }
    return 0;
}

} // namespace
} // namespace lockstep

int main(int count, char** arguments)
{
    return lockstep::run({arguments, static_cast<std::size_t>(count)});
}
