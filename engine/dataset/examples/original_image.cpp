// SPDX-License-Identifier: Apache-2.0
#include "dataset/examples/original_image.h"

#include "base/error.h"
#include "dataset/examples/encoded_dataset.h"

namespace lockstep {
namespace {

constexpr std::int64_t kColours = 3;

ColourImage decoded(const EncodedDataset& dataset, std::int64_t index)
{
    EncodedImage encoded;
    dataset.read(index, encoded);
    ColourImage image;
    decodeColours(encoded.file, dataset.fullName(index), {.rules = dataset.pixelRules()}, image);
    return image;
}

} // namespace

ColourImage originalImage(const Dataset& dataset, std::int64_t index)
{
    if (const auto* const encoded = dataset.encoded()) {
        return decoded(*encoded, index);
    }
    const ExampleView example = dataset.example(index);
    const Shape shape = shapeOf(dataset.info(), example);
    require(
        shape.channels == 1 || shape.channels == kColours,
        "an image of a data set is neither grey nor of three colours");
    const bool isPlanar = dataset.info().pixelOrder == PixelOrder::Planar;
    const std::int64_t pixels = shape.height * shape.width;
    ColourImage image{shape.height, shape.width, {}};
    image.pixels.reserve(static_cast<std::size_t>(pixels * kColours));
    for (std::int64_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::int64_t colour = 0; colour < kColours; ++colour) {
            const std::int64_t channel = shape.channels == 1 ? 0 : colour;
            const std::int64_t place =
                isPlanar ? channel * pixels + pixel : pixel * shape.channels + channel;
            image.pixels.push_back(example.pixels[static_cast<std::size_t>(place)]);
        }
    }
    return image;
}

} // namespace lockstep
